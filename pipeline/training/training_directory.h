// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/model_paths.h"
#include "pipeline/training/training_lock.h"

namespace gloss {

/// The directory of one training with its checkpoints (`checkpoint-000500`), the links `best` and `last` to
/// two of them, and `train.log.jsonl`. A lock keeps other trainings out. Every visible checkpoint is
/// complete, and all are of one training, even if the program ends abruptly.
class TrainingDirectory {
 public:
  /// Creates the directory if it is missing, removes unfinished files of an earlier run, and completes a
  /// replacement that it has begun. Throws Error if the directory is not writable or another training uses
  /// it.
  explicit TrainingDirectory(const std::string& path);
  // The destructor removes what the constructor created if there is no checkpoint.

  const std::string& path() const { return path_; }
  /// The checkpoints, oldest first; none while a training that will be replaced is still there.
  std::vector<Checkpoint> checkpoints() const;
  /// The path of the checkpoint of an update, which need not exist.
  std::string checkpoint_path(std::int64_t update) const;
  /// Calls `write` with an empty folder to fill, then makes it the checkpoint in one atomic step. If `write`
  /// throws, nothing changes.
  void write_checkpoint(std::int64_t update, const std::function<void(const std::string& folder)>& write);
  void remove_checkpoint(const Checkpoint&);
  /// Makes `name` point to the checkpoint of an update, which must exist.
  void link(const std::string& name, std::int64_t update);
  /// Starts over: the first checkpoint, of update 0, will replace all checkpoints, links and the log that are
  /// here now. They remain until it is complete. Throws UsageError if one of them is not from a training.
  void replace_training();

  std::string log_path() const { return path_ + "/train.log.jsonl"; }

 private:
  std::string fresh_mark() const;
  void complete_replacement();
  void remove_other_training();
  void remove_leftovers();

  std::string path_;
  TrainingLock lock_;
  bool replaces_ = false;  // the next checkpoint replaces the training that is here
};

}  // namespace gloss
