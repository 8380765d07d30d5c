// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gloss {

/// The value of a scalar without quotes in the core schema of YAML 1.2: null, a boolean, a number or a text.
nlohmann::json yaml_plain_value(const std::string& text);

}  // namespace gloss
