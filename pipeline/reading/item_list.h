// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/listener.h"
#include "model/formats/idx_archive.h"

namespace gloss {

/// The items of a source that is not text: a list of files, whose lines begin with the path of an item, or
/// one archive, whose items have numbers from 0.
struct ItemList {
  std::string name;    ///< of the list or the archive, for messages
  std::string folder;  ///< to which relative paths in a list belong; empty: the working directory
  std::shared_ptr<const IdxArchive> archive{};  ///< null: a list of files

  /// The path of the item that a line of a list names.
  std::string path_of(std::string_view item) const;
};

/// Throws UsageError if a regular file is an image, a recording or an array itself, not a list of such files.
void expect_item_list(const std::string& path);
/// Opens a list, or an idx archive, which is recognised by its first bytes. An unpacked copy of a compressed
/// archive goes to `folder`. Throws InputError, or UsageError for an item instead of a list.
ItemList open_item_list(const std::string& path, const std::string& folder, Listener&);

}  // namespace gloss
