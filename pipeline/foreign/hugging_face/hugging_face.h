// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// True for a directory of transformers: config.json with a model_type, and weights.
bool is_hugging_face(const std::string& path);
/// Reads such a directory. Throws InputError for what gloss cannot represent.
ForeignModel read_hugging_face(const std::string& path);

}  // namespace gloss
