// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/checkpoint.h"

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

}  // namespace gloss
