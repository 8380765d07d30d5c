// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pipeline/training/model_training_settings.h"

namespace gloss {

/// Throws UsageError naming the setting and both values if a setting that affects the result differs between
/// these settings, whose fields are `all`, and those that the training in `directory` was started with
/// (`stored`).
void expect_same_settings(const ModelTrainingSettings&, const Fields& all, const nlohmann::json& stored,
                          const std::string& directory);

}  // namespace gloss
