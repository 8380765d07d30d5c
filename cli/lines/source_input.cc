// SPDX-License-Identifier: Apache-2.0

#include "cli/lines/source_input.h"

#include "base/error.h"
#include "base/nameless_file.h"

namespace gloss {

namespace {

/// Throws UsageError if a file is an item or an archive, not a list of items.
void expect_list(const std::string& path) {
  if (is_idx_archive(path)) {
    throw UsageError(path + " is an idx archive: give it alone, or a list of the paths of images");
  }
  expect_item_list(path);
}

}  // namespace

SourceInput::SourceInput(const std::vector<std::string>& files, std::int64_t max_line_bytes,
                         const Shard& shard) {
  if (files.size() != 1 || !is_idx_archive(files.front())) {
    lines_.emplace(files, max_line_bytes, shard);
    files_ = files;
    return;
  }
  if (shard.count > 1) {
    throw UsageError(concat(files.front(), " is an idx archive, which is read as a whole; leave out ",
                            "--shard and mpirun, or give a list of files"));
  }
  Listener silent;
  archive_.emplace(open_item_list(files.front(), temporary_folder(), silent));
}

void SourceInput::read_for(const SourceSettings& source) {
  for (const std::string& path : source.is_text() ? std::vector<std::string>() : files_) expect_list(path);
  if (archive_ && source.type != SourceType::image) {
    throw UsageError(concat(archive_->list().name, " is an idx archive of images, but the model reads ",
                            source.is_text() ? "text" : items_noun(source)));
  }
  if (!source.is_text() && lines_) paths_.emplace(*lines_, items_noun(source));
}

InputStream<std::string>& SourceInput::stream() {
  if (archive_) return *archive_;
  if (paths_) return *paths_;
  return *lines_;
}

}  // namespace gloss
