// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/whole_document.h"

#include <utility>

#include "base/index.h"
#include "base/lines.h"
#include "base/text.h"

namespace gloss {
namespace {

std::string all_bytes(const std::string& path) {
  constexpr std::size_t kBlock = 1 << 16;
  const std::unique_ptr<ByteStream> source = open_bytes(path);
  std::string bytes;
  for (std::size_t got = 1; got > 0;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kBlock);
    got = source->read(bytes.data() + size, kBlock);
    bytes.resize(size + got);
  }
  return bytes;
}

}  // namespace

WholeDocument::WholeDocument(std::string path, Parts parts)
    : path_(std::move(path)), read_parts_(std::move(parts)) {
  expect_readable(path_);
}

void WholeDocument::read() {
  read_ = true;
  parts_ = read_parts_(all_bytes(path_), input_name(path_));
  const std::lock_guard lock(guard_);
  for (const DocumentPart& part : parts_) {
    lines_.push_back(part.line);
    if (part.has_text()) ++texts_;
  }
}

bool WholeDocument::next(DocumentPart& part) {
  if (!read_) read();
  if (next_ == parts_.size()) return false;
  part = std::move(parts_[next_++]);
  part.input_line = part.line;
  return true;
}

bool WholeDocument::available(std::chrono::steady_clock::time_point /*until*/) { return read_; }

std::int64_t WholeDocument::total() const {
  const std::lock_guard lock(guard_);
  return texts_;
}

std::string WholeDocument::place(std::int64_t number) const {
  const std::lock_guard lock(guard_);
  return concat(input_name(path_), ":", lines_[index(number - 1)]);
}

}  // namespace gloss
