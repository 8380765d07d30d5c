// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/hugging_face_files.h"

namespace gloss {

/// Throws InputError, naming the member `tokenizer_class`, if the tokenizer of a directory is of a class that
/// gloss does not read, or of one that reads other files than those that the directory has.
void expect_tokenizer_class(const HuggingFaceFiles&);

}  // namespace gloss
