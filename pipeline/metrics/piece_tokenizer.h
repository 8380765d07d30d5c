#pragma once

#include <memory>
#include <string>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "spm": the pieces of a SentencePiece model (as in Goyal et al. 2022). The signature names the model's file
/// and a checksum of its bytes. Throws InputError if the file is missing or damaged.
std::unique_ptr<WordTokenizer> make_piece_tokenizer(const std::string& model_file);

}  // namespace gloss
