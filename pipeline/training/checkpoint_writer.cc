// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/checkpoint_writer.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

void CheckpointWriter::save(const TrainingState& state) {
  if (writes()) write(state);
  saved_update_ = state.update;
  last_save_ = Clock::now();
}

void CheckpointWriter::write(const TrainingState& state) {
  parts_.log->sync();
  TrainingState written = state;
  written.log_lines = parts_.log->lines();
  written.seconds = parts_.clock.seconds();
  parts_.directory->write_checkpoint(state.update, [&](const std::string& folder) {
    const AverageInUse in_use(parts_.average);
    parts_.write_model(folder);
    write_training(folder, written, *parts_.data, parts_.learning);
  });
  tidy(state);
}

void CheckpointWriter::tidy(const TrainingState& state) {
  tidy_checkpoints(*parts_.directory, state, parts_.keep_checkpoints, parts_.listener);
}

double CheckpointWriter::minutes_since_save() const {
  return std::chrono::duration<double, std::ratio<60>>(Clock::now() - last_save_).count();
}

void tidy_checkpoints(TrainingDirectory& directory, const TrainingState& state, int keep_checkpoints,
                      Listener& listener) {
  const auto is_temporary = [&](const Checkpoint& checkpoint) {
    if (checkpoint.update == state.update) return state.temporary;
    if (checkpoint.update == state.best_update) return false;
    try {
      return read_training_record(checkpoint.path).state.temporary;
    } catch (const InputError& error) {
      listener.warn(concat(error.what(), "; the checkpoint is kept, remove it if you do not need it"));
      return false;
    }
  };
  const std::vector<Checkpoint> all = directory.checkpoints();
  // Before anything is removed, so that the links never point to nothing.
  if (std::ranges::find(all, state.best_update, &Checkpoint::update) != all.end()) {
    directory.link("best", state.best_update);
  }
  directory.link("last", state.update);
  std::vector<Checkpoint> kept;
  for (const Checkpoint& checkpoint : all) {
    if (!is_temporary(checkpoint)) {
      kept.push_back(checkpoint);
    } else if (checkpoint.update != state.update) {
      directory.remove_checkpoint(checkpoint);
    }
  }
  const auto limit = index(keep_checkpoints);
  for (std::size_t i = 0; i + limit < kept.size(); ++i) {
    if (kept[i].update != state.best_update) directory.remove_checkpoint(kept[i]);
  }
}

}  // namespace gloss
