// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// What kind of model a path is, such as "Hugging Face directory", for messages; empty if it is none.
std::string kind_of_model(const std::string& path);
/// "expected a ..." with all kinds.
std::string expected_models();

}  // namespace gloss
