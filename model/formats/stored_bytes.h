// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/mapped_file.h"

namespace gloss {

/// Bytes that are read once, from front to back.
class StoredStream {
 public:
  virtual ~StoredStream() = default;
  /// Fills `part`; throws InputError if the bytes end before or are damaged.
  virtual void read(std::span<std::byte> part) = 0;
  /// Continues `count` bytes later.
  virtual void skip(std::uint64_t count) = 0;
};

/// A part of a file with a known number of bytes, perhaps compressed.
class StoredBytes {
 public:
  virtual ~StoredBytes() = default;
  virtual std::uint64_t size() const = 0;
  /// A stream from the first byte; it must not outlive the source.
  virtual std::unique_ptr<StoredStream> open() const = 0;
};

/// Part of a mapped file, which stays mapped as long as the source exists.
class MappedBytes : public StoredBytes {
 public:
  MappedBytes(std::shared_ptr<const MappedFile> file, std::span<const std::byte> bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::unique_ptr<StoredStream> open() const override;

 private:
  std::shared_ptr<const MappedFile> file_;
  std::span<const std::byte> bytes_;
};

}  // namespace gloss
