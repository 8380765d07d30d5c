// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/listener.h"
#include "base/random_access_file.h"

namespace gloss {

/// True if a regular file, perhaps compressed, begins like an idx archive of bytes. Throws InputError if it
/// cannot be read.
bool is_idx_archive(const std::string& path);

/// An archive of items of one size in the idx format of MNIST (LeCun et al. 1998): bytes 0, 0, type and
/// number of dimensions, the sizes as big-endian 32-bit numbers, then the numbers. Only unsigned bytes are
/// read.
class IdxArchive {
 public:
  /// An unpacked copy of a compressed archive goes to `folder` (RandomAccessFile). Throws InputError if the
  /// header is invalid or the file does not have the size that it says.
  IdxArchive(const std::string& path, const std::string& folder, Listener&);

  const std::string& name() const { return file_.name(); }
  /// The number of items.
  std::int64_t items() const { return items_; }
  /// The sizes of an item, outermost first: none for a single number.
  const std::vector<int>& sizes() const { return sizes_; }
  /// The bytes of an item, counted from 0. Throws InputError if the file has become too short. Thread-safe.
  std::vector<std::uint8_t> item(std::int64_t number) const;
  /// A hash of the whole archive, which is read for it.
  std::uint64_t fingerprint() const;

 private:
  RandomAccessFile file_;
  std::int64_t items_ = 0, item_bytes_ = 1, start_ = 0;
  std::vector<int> sizes_;
};

}  // namespace gloss
