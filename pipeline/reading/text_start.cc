// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_start.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/counted.h"
#include "base/descriptors.h"
#include "base/lines.h"
#include "base/text.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// The start of standard input if that is a file, without taking it from the reader; "" if it is packed.
std::string start_of_standard_input() {
  struct stat status {};
  const off_t offset = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (offset < 0 || ::fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return "";
  std::string start(kTextStart, '\0');
  start.resize(read_at(STDIN_FILENO, offset, start, input_name("-")));
  return is_encoded(start) ? "" : start;
}

std::string start_of(const std::string& path) {
  if (path == "-") return start_of_standard_input();
  if (opening_waits(path)) return "";
  const std::unique_ptr<ByteStream> source = open_bytes(path);
  std::string start(kTextStart, '\0');
  std::size_t size = 0;
  while (size < start.size()) {
    const std::size_t got = source->read(start.data() + size, start.size() - size);
    if (got == 0) break;
    size += got;
  }
  start.resize(size);
  return start;
}

}  // namespace

std::string doubt_about_text(const std::string& name, std::string_view start) {
  constexpr std::int64_t kFewest = 20;  // invalid sequences; European text in Latin-1 has one in 30 bytes
  constexpr std::int64_t kShare = 10;
  const std::int64_t zeros = std::ranges::count(start, '\0');
  const std::int64_t invalid = clean_text(start, Normalization::none).replaced;
  const bool mostly_invalid = invalid >= kFewest && invalid * kShare >= std::ssize(start);
  if (zeros == 0 && !mostly_invalid) return "";
  std::vector<std::string> found;
  if (zeros > 0) found.push_back(counted(zeros, "NUL byte"));
  if (invalid > 0) found.push_back(counted(invalid, "invalid sequence"));
  return concat(name, " does not look like UTF-8 text: ", join(found, " and "), " in its first ",
                counted(std::ssize(start), "byte"), "; ") +
         (zeros > 0 ? "is it a binary file? Expected one sentence per line"
                    : "convert text of another encoding, as with 'iconv -f WINDOWS-1251 -t UTF-8'");
}

std::vector<std::string> doubts_about_text(const std::vector<std::string>& paths) {
  std::vector<std::string> doubts;
  for (const std::string& path : paths) {
    const std::string doubt = doubt_about_text(input_name(path), start_of(path));
    if (!doubt.empty()) doubts.push_back(doubt);
  }
  return doubts;
}

}  // namespace gloss
