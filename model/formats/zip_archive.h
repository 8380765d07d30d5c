// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <string>

#include "model/formats/stored_bytes.h"

namespace gloss {

/// A zip archive whose entries are read as streams; the only file that includes libzip. The constructor
/// refuses what no model needs and attackers use: encryption, two entries of one name, entries that claim
/// more bytes than their compressed data can yield, or that expand a hundredfold.
class ZipArchive {
 public:
  /// Throws InputError that names the file and the entry.
  explicit ZipArchive(const std::string& path);

  /// The entries that are files, by name. Sources keep the archive open; streams of one archive must not be
  /// used by two threads at a time. A stream checks the checksum of its entry at the end of it.
  const std::map<std::string, std::shared_ptr<const StoredBytes>>& entries() const { return entries_; }

 private:
  std::map<std::string, std::shared_ptr<const StoredBytes>> entries_;
};

/// The version of libzip, for `gloss --version`.
std::string zip_version();

}  // namespace gloss
