// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "spm": splits text with a SentencePiece model (as in Goyal et al. 2022). The signature contains the file
/// name of the model and a checksum. Throws InputError if the file is missing or damaged.
std::unique_ptr<WordTokenizer> make_piece_tokenizer(const std::string& model_file);

}  // namespace gloss
