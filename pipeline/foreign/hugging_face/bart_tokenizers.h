// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/examples/text_format.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation.h"

namespace gloss {

/// The tokenizers of a model and the tokens around its lines.
struct TokenizersOfDirectory {
  Tokenizers tokenizers;
  TextFormat format{};
};

/// source.spm and target.spm with vocab.json, and target_vocab.json if the vocabularies are separate.
TokenizersOfDirectory read_marian_tokenizers(const HuggingFaceFiles&, const NetworkSettings&,
                                             const HuggingFaceGeneration&);
/// vocab.json and merges.txt.
TokenizersOfDirectory read_bart_tokenizer(const HuggingFaceFiles&, const NetworkSettings&,
                                          const HuggingFaceGeneration&);
/// sentencepiece.bpe.model and tokens of languages; with the ids of vocab.json (M2M-100) or fairseq's (NLLB,
/// mBART-50).
TokenizersOfDirectory read_language_tokenizer(const HuggingFaceFiles&, const NetworkSettings&,
                                              const HuggingFaceGeneration&);

}  // namespace gloss
