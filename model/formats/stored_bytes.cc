// SPDX-License-Identifier: Apache-2.0

#include "model/formats/stored_bytes.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {

class MappedStream : public StoredStream {
 public:
  MappedStream(const std::string& path, std::span<const std::byte> bytes) : path_(path), rest_(bytes) {}
  void read(std::span<std::byte> part) override { std::ranges::copy(next(part.size()), part.begin()); }
  void skip(std::uint64_t count) override { next(count); }

 private:
  std::span<const std::byte> next(std::uint64_t count) {
    if (count > rest_.size()) {
      throw InputError(concat(path_, " is truncated: expected ", count, " bytes, found ", rest_.size()));
    }
    const auto part = rest_.first(count);
    rest_ = rest_.subspan(count);
    return part;
  }

  std::string path_;
  std::span<const std::byte> rest_;
};

}  // namespace

std::unique_ptr<StoredStream> MappedBytes::open() const {
  return std::make_unique<MappedStream>(file_->path(), bytes_);
}

}  // namespace gloss
