// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// The tokenizers that need a SentencePiece model: spm, and those of sacreBLEU such as flores200.
std::vector<std::string> piece_tokenizer_names();

/// Splits text with the SentencePiece model `file` (as in Goyal et al. 2022). The signature of "spm" contains
/// the file name of the model and a checksum; that of the others is the name, as in sacreBLEU. Throws
/// InputError if the file is missing or damaged, UsageError with the place to get it if none is given.
std::unique_ptr<WordTokenizer> make_piece_tokenizer(const std::string& name, const std::string& file);

}  // namespace gloss
