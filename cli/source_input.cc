// SPDX-License-Identifier: Apache-2.0

#include "cli/source_input.h"

#include "base/error.h"
#include "base/nameless_file.h"

namespace gloss {

SourceInput::SourceInput(const std::vector<std::string>& files, std::int64_t max_line_bytes,
                         const Shard& shard, bool resume) {
  if (files.size() != 1 || !is_idx_archive(files.front())) {
    lines_.emplace(files, max_line_bytes, shard);
    return;
  }
  if (shard.count > 1 || resume) {
    throw UsageError(concat(files.front(), " is an idx archive, which is read as a whole; leave out ",
                            "--shard, --resume and mpirun, or give a list of files"));
  }
  Listener silent;
  archive_.emplace(open_item_list(files.front(), temporary_folder(), silent));
}

void SourceInput::read_for(const SourceSettings& source) {
  if (!source.is_text() && lines_) paths_.emplace(*lines_, items_noun(source));
  if (source.is_text() && archive_) throw UsageError("the input is an idx archive, but the model reads text");
}

InputStream<std::string>& SourceInput::stream() {
  if (archive_) return *archive_;
  if (paths_) return *paths_;
  return *lines_;
}

}  // namespace gloss
