#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace gloss {

/// A whole checkpoint in a training directory.
struct Checkpoint {
  std::string path;
  std::int64_t update = 0;
};

/// The whole checkpoints of a training directory, the oldest first; none if there is no such directory.
std::vector<Checkpoint> list_checkpoints(const std::string& directory);

/// The model directory that `path` stands for: a training directory stands for its best model, everything
/// else for itself.
std::string model_directory_of(const std::string& path);

/// Throws UsageError if a model made from those in `sources` must not be written to `output`: it is one of
/// them, or belongs to a training, which would be taken for the new model.
void expect_own_directory(const std::string& output, const std::vector<std::string>& sources);

/// A folder in which one training, and no second one at the same time, keeps its checkpoints
/// (`checkpoint-000500`), the links `best` and `last` to two of them, and `train.log.jsonl`. Whatever moment
/// the program ends at, every checkpoint to be seen is whole.
class TrainingDirectory {
 public:
  /// Makes the folder if it is missing, and removes what an ended run left unfinished. Throws Error if it
  /// cannot be written to or another training uses it.
  explicit TrainingDirectory(const std::string& path);
  ~TrainingDirectory();
  TrainingDirectory(const TrainingDirectory&) = delete;
  TrainingDirectory& operator=(const TrainingDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::vector<Checkpoint> checkpoints() const { return list_checkpoints(path_); }
  /// The path of the checkpoint of an update, whether there or not.
  std::string checkpoint_path(std::int64_t update) const;
  /// Makes a checkpoint appear in one step once `write`, given the folder to fill, has returned. If it
  /// throws, nothing changed.
  void write_checkpoint(std::int64_t update, const std::function<void(const std::string& folder)>& write);
  void remove_checkpoint(const Checkpoint&);
  /// Makes `name` point to the checkpoint of an update, which must exist.
  void link(const std::string& name, std::int64_t update);
  /// Removes all checkpoints, links and the log: the next training starts from the beginning.
  void clear();

  std::string log_path() const { return path_ + "/train.log.jsonl"; }

 private:
  void remove_leftovers();

  std::string path_;
  int lock_ = -1;
};

/// The reports of a training: one JSON object a line.
class TrainingLog {
 public:
  explicit TrainingLog(std::string path) : path_(std::move(path)) {}
  void append(const nlohmann::json& report);
  /// Keeps the first `lines` lines, so that what was reported after the checkpoint that a training continues
  /// from is not told twice. Of these, lines that are no reports - a disk that was full or broke leaves such
  /// - are removed. Returns what was found wrong; empty if all was there.
  std::string cut(std::int64_t lines);
  std::int64_t lines() const { return lines_; }
  /// Flushes to the disk.
  void sync() const;

 private:
  std::string path_;
  std::int64_t lines_ = 0;
};

}  // namespace gloss
