// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// An entry of a zip archive to write.
struct ZipEntryToWrite {
  std::string name;
  std::string head;      ///< the first bytes
  std::size_t size = 0;  ///< of the bytes after them
  /// The bytes after the head, which stay valid until the next call for any entry.
  std::function<std::span<const std::byte>()> bytes;
};

/// Writes a zip archive whose entries are not compressed, one after another: each has its sizes before it,
/// and no time. Entries and archives of 4 GiB and more have 64-bit sizes. Throws Error.
void write_zip(const std::string& path, std::vector<ZipEntryToWrite> entries);

}  // namespace gloss
