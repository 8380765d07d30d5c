// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/lines.h"
#include "pipeline/media/item_rows.h"
#include "pipeline/reading/archive_items.h"
#include "pipeline/reading/item_paths.h"
#include "pipeline/reading/text_files.h"

namespace gloss {

/// What a model answers: lines of text, or the items of lists or of an idx archive.
class SourceInput {
 public:
  /// Throws UsageError for an archive that would be divided.
  SourceInput(const std::vector<std::string>& files, std::int64_t max_line_bytes, const Shard&);

  /// Throws UsageError if a model of text is given an archive, or another one an item in place of a list.
  /// From now on, items are read if the source of the model is not text.
  void read_for(const SourceSettings&);
  InputStream<std::string>& stream();
  bool is_archive() const { return archive_.has_value(); }
  /// Of what the stream of an archive does not contain; otherwise empty (RunOutput).
  std::string checksum() const {
    return archive_ ? std::to_string(archive_->list().archive->fingerprint()) : "";
  }
  /// Null: an archive.
  const TextShard* shard() const { return lines_ ? &lines_->shard() : nullptr; }
  /// To which the items of the stream belong.
  ItemList list() const { return archive_ ? archive_->list() : ItemList(); }

 private:
  std::vector<std::string> files_;  // of lines
  std::optional<TextFiles> lines_;
  std::optional<ItemPaths> paths_;
  std::optional<ArchiveItems> archive_;
};

}  // namespace gloss
