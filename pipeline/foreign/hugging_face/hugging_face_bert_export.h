// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_family.h"

namespace gloss {

/// Encoders as BERT, RoBERTa or XLM-R, by their tokenizers: for masked tokens, for classes or without a head.
std::vector<HuggingFaceFamily> hugging_face_bert_families();

}  // namespace gloss
