// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/listener.h"

namespace gloss {

/// Describes a model directory, or the best model of a training directory: network, number of parameters by
/// part, vocabulary, text settings and training. Reads and checks all files; throws InputError, which names
/// the first problem, if the model is incomplete or damaged.
nlohmann::json describe_model(const std::string& directory, Listener&);

/// The description as lines of "name  value".
std::string description_text(const nlohmann::json& description);

}  // namespace gloss
