// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "model/layers/weight_ranges.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/optimizer.h"

namespace gloss {

/// The arrays that continuing a training needs in addition to the model's weights.
struct LearningArrays {
  Optimizer& optimizer;
  std::span<const WeightRange> ranges;  ///< of all parameters
  /// The flat array of the weights that the optimizer updates, if the model contains their moving average;
  /// otherwise empty.
  std::span<float> weights;
};

/// Writes the state of the training to a checkpoint: training.json, time.json and optimizer.safetensors.
/// `data` identifies the training data and is stored unchanged.
void write_training(const std::string& folder, const TrainingState&, const nlohmann::json& data,
                    const LearningArrays&);

/// Restores all arrays and the number of steps. Throws InputError if the file has other arrays or impossible
/// numbers.
void read_learning(const std::string& folder, const TrainingState&, const LearningArrays&);

}  // namespace gloss
