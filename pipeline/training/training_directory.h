// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/model_paths.h"

namespace gloss {

/// The directory of one training with its checkpoints (`checkpoint-000500`), the links `best` and `last` to
/// two of them, and `train.log.jsonl`. A lock keeps other trainings out. Every visible checkpoint is
/// complete, even if the program ends abruptly.
class TrainingDirectory {
 public:
  /// Creates the directory if it is missing, and removes unfinished files of an earlier run. Throws Error if
  /// it is not writable or another training uses it.
  explicit TrainingDirectory(const std::string& path);
  ~TrainingDirectory();
  TrainingDirectory(const TrainingDirectory&) = delete;
  TrainingDirectory& operator=(const TrainingDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::vector<Checkpoint> checkpoints() const { return list_checkpoints(path_); }
  /// The path of the checkpoint of an update, which need not exist.
  std::string checkpoint_path(std::int64_t update) const;
  /// Calls `write` with an empty folder to fill, then makes it the checkpoint in one atomic step. If `write`
  /// throws, nothing changes.
  void write_checkpoint(std::int64_t update, const std::function<void(const std::string& folder)>& write);
  void remove_checkpoint(const Checkpoint&);
  /// Makes `name` point to the checkpoint of an update, which must exist.
  void link(const std::string& name, std::int64_t update);
  /// Removes all checkpoints, links and the log. Throws UsageError, and removes nothing, if one of them is
  /// not from a training.
  void clear();

  std::string log_path() const { return path_ + "/train.log.jsonl"; }

 private:
  void remove_leftovers();

  std::string path_;
  int lock_ = -1;
};

}  // namespace gloss
