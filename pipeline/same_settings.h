#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/model_training.h"

namespace gloss {

/// Throws UsageError naming the setting and both values if a setting that the result depends on differs
/// between all that a training has `now` and those that the one in `directory` was started with (`stored`).
void expect_same_settings(const ModelTrainingSettings&, const nlohmann::json& now,
                          const nlohmann::json& stored, const std::string& directory);

}  // namespace gloss
