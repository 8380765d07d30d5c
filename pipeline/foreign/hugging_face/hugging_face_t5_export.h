// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

namespace gloss {

/// Encoder-decoders whose positions are buckets of distances, as T5ForConditionalGeneration.
HuggingFaceFamily hugging_face_t5_family();

}  // namespace gloss
