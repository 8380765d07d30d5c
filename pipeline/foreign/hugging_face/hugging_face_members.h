// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_files.h"

namespace gloss {

/// Checks the members of config.json, generation_config.json and tokenizer_config.json that nobody has read:
/// returns notes on those that gloss does not follow. Throws InputError for those that would change
/// probabilities or the ids of text.
std::vector<std::string> check_hugging_face_members(const HuggingFaceFiles&);

}  // namespace gloss
