// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

namespace gloss {

/// Encoder-decoders as BART or a relative (bart_kinds.h), by their norms and positions.
std::vector<HuggingFaceFamily> hugging_face_bart_families();

}  // namespace gloss
