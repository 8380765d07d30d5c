// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/shown.h"
#include "model/formats/safetensors.h"

namespace gloss {
namespace {

/// The part of a flat array that belongs to a parameter.
std::span<float> numbers_of(const WeightRange& range, std::span<float> flat) {
  return flat.subspan(range.begin, index(range.shape.count()));
}

/// An array of optimizer.safetensors and the memory for its numbers.
struct LearningArray {
  std::string name;
  Shape shape;
  std::span<float> numbers;
  float smallest;  // allowed number
};

std::vector<LearningArray> list_arrays(const LearningArrays& learning) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  std::vector<LearningArray> arrays;
  for (const Optimizer::Moments& moments : learning.optimizer.moments()) {
    const WeightRange& range = moments.parameter;
    arrays.push_back({range.name + kFirstMoment, range.shape, moments.first, kLowest});
    arrays.push_back({range.name + kSecondMoment, range.shape, moments.second, 0});
  }
  if (learning.weights.empty()) return arrays;
  for (const WeightRange& range : learning.ranges) {
    arrays.push_back({range.name, range.shape, numbers_of(range, learning.weights), kLowest});
  }
  return arrays;
}

}  // namespace

void write_training(const std::string& folder, const TrainingState& state, const nlohmann::json& data,
                    const LearningArrays& learning) {
  write_training_record(folder, state, data);
  std::vector<NamedArray> arrays;
  for (const LearningArray& array : list_arrays(learning)) {
    arrays.push_back({array.name, DType::f32, array.shape, array.numbers.data()});
  }
  AtomicFile file(optimizer_path(folder));
  write_safetensors(file, arrays);
  file.commit();
}

void read_learning(const std::string& folder, const TrainingState& state, const LearningArrays& learning) {
  const SafetensorsFile file(optimizer_path(folder));
  std::set<std::string> known;
  for (const LearningArray& array : list_arrays(learning)) {
    const void* data = file.array(array.name, DType::f32, array.shape).data;
    std::memcpy(array.numbers.data(), data, array.numbers.size_bytes());
    for (const float number : array.numbers) {
      if (!(number >= array.smallest)) {
        throw InputError(concat(file.path(), ": the tensor ", shown(array.name), " has the number ", number,
                                ", expected numbers", array.smallest == 0 ? " of at least 0" : ""));
      }
    }
    known.insert(array.name);
  }
  expect_no_others(file, known);
  learning.optimizer.set_steps(state.optimizer_steps);
}

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
