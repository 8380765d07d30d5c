// SPDX-License-Identifier: Apache-2.0
// Text files, also compressed or in UTF-16: lines and bytes equal those of the plain text; with a limit, long
// lines are cut.
#include "base/lines.h"

#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  const std::string_view bytes = as_text(data, size);
  file.fill(bytes);
  read_untrusted([&] {
    LineReader reader(file.path());
    constexpr std::size_t kEnough = 64 << 20;  // limit for the size of an unpacked file
    std::string line, text;
    std::int64_t lines = 0;
    while (text.size() < kEnough && reader.available() && reader.next(line)) {
      text.append(line).append("\n");
      expects(line.find('\n') == std::string::npos && reader.line_number() == ++lines, "a line of ", lines);
    }
    LineReader limited(file.path(), {.bytes = 16, .cuts = true});
    std::int64_t read = 0;
    while (read < lines && limited.next(line)) {
      expects(line.size() <= 16, "a line of ", line.size(), " bytes");
      ++read;
    }
    expects(read == lines, "a limit changes the number of lines: ", read, " of ", lines);
    if (is_encoded(bytes.substr(0, kFileMark))) return;
    const bool whole = bytes.empty() || bytes.ends_with('\n');
    expects(text == std::string(bytes) + (whole ? "" : "\n"), "the lines differ from the text");
  });
  return 0;
}
