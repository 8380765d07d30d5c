// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/hugging_face/tokenizer_json.h"
#include "pipeline/foreign/hugging_face/tokenizer_parts.h"

namespace gloss {

// A tokenizer.json that was made from a SentencePiece model. Each sets pieces, the model and how text goes on
// after special tokens, with the help of the added tokens; throws InputError, naming the part, for what no
// SentencePiece model does.

/// A Unigram model: pieces with scores.
void read_unigram(const TokenizerParts&, TokenizerJson&);
/// True if pieces are merged between spaces, as SentencePiece does, not GPT-2.
bool merges_between_spaces(const TokenizerParts&);
/// A BPE model of that kind, such as NLLB's: the order of the merges gives the scores of the pieces.
void read_merged_pieces(const TokenizerParts&, TokenizerJson&);

}  // namespace gloss
