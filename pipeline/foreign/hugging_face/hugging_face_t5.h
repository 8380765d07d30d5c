// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// T5, T5 v1.1 and what was trained with their code, such as MADLAD-400: T5ForConditionalGeneration.
ForeignModel read_hugging_face_t5(const HuggingFaceFiles&);

}  // namespace gloss
