// SPDX-License-Identifier: Apache-2.0
// Large inputs from small ones: the first byte gives the reader and the number of repetitions, then follow
// a beginning, a part to repeat and an end, separated by NUL. Time or memory that grows faster than
// the input exceeds the limits of scripts/fuzz.
#include <cstring>

#include "base/json.h"
#include "model/formats/safetensors.h"
#include "pipeline/reading/indexed_lines.h"
#include "tests/fuzz/input_file.h"
#include "tests/support/subword_model.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

constexpr std::size_t kReaders = 4, kExponents = 22, kLargest = 1 << 20;

std::string expanded(std::string_view parts, std::size_t times) {
  const auto [before, rest] = two_files(parts);
  const auto [unit, after] = two_files(rest);
  std::string text(before);
  for (; times > 0 && text.size() < kLargest; --times) text += unit;
  return text.append(after);
}

void read_tensors(const std::string& header, const InputFile& file) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, sizeof length);
  file.fill(bytes + header);
  read_untrusted([&] { SafetensorsFile tensors(file.path()); });
}

/// Every way of reading lines keeps to the limit and finds the same lines.
void read_lines_of(const std::string& text, const InputFile& file) {
  constexpr std::int64_t kLimit = 100'000;
  file.fill(text);
  LineReader reader(file.path(), {.bytes = kLimit, .cuts = true});
  std::int64_t long_lines = 0;
  for (std::string line; reader.next(line);) {
    expects(std::ssize(line) <= kLimit && line.capacity() <= 4 * kLimit, "a line of ", line.size());
  }
  Listener silent;
  const IndexedLines indexed(file.path(), "/tmp", silent, kLimit);
  expects(indexed.lines() == reader.line_number(), indexed.lines(), " lines of ", reader.line_number());
  for (std::int64_t i = 0; i < indexed.blocks(); ++i) long_lines += std::ssize(indexed.read(i).too_long);
  expects(long_lines == reader.cut_lines().count, long_lines, " long lines of ", reader.cut_lines().count);
}

void encode(const std::string& text) {
  static const Subwords pairs = Subwords::from_bytes(cat_model(), "pairs"),
                        bytes = Subwords::from_bytes(cat_model(byte_pieces(), byte_fallback()), "bytes");
  for (const Normalization form : {Normalization::nfc, Normalization::nfkc}) clean_text(text, form);
  const std::string clean = clean_text(text, Normalization::none).text;
  for (const Subwords* subwords : {&pairs, &bytes}) {
    expects(subwords->encode(clean).size() == subwords->encode_pieces(clean).size(), "pieces without ids");
  }
}

}  // namespace
}  // namespace gloss

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gloss;
  static const InputFile file;
  if (size == 0) return 0;
  const std::string text =
      expanded(as_text(data + 1, size - 1), std::size_t{1} << (data[0] / kReaders % kExponents));
  switch (data[0] % kReaders) {
    case 0:
      read_untrusted([&] { parse_json(text, "input"); });
      break;
    case 1:
      read_tensors(text, file);
      break;
    case 2:
      read_untrusted([&] { read_lines_of(text, file); });  // refuses what looks binary
      break;
    default:
      encode(text);
  }
  return 0;
}
