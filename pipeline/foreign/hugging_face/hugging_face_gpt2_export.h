// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

namespace gloss {

/// Language models as GPT2LMHeadModel.
HuggingFaceFamily hugging_face_gpt2_family();

}  // namespace gloss
