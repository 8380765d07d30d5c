// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/foreign/hugging_face/hugging_face_tokenizer_files.h"

namespace gloss {

// SentencePiece models in the files of transformers' tokenizer classes.

/// source.spm, target.spm and vocab.json, for Marian; target_vocab.json if the vocabularies are separate.
HuggingFaceTokenizerFiles marian_files(const ModelToExport&, const std::string& program);
/// spiece.model, for T5, which adds the tokens <extra_id_0> and so on itself; its decoder starts with the
/// padding.
HuggingFaceTokenizerFiles t5_files(const ModelToExport&);
/// sentencepiece.bpe.model, for XLM-R.
HuggingFaceTokenizerFiles fairseq_piece_files(const ModelToExport&, const std::string& tokenizer_class);
/// The same with tokens of languages, for NLLB and mBART-50; with vocab.json for M2M-100.
HuggingFaceTokenizerFiles language_files(const ModelToExport&, const std::string& program);
/// spiece.model, whose ids are those of the network, in tokenizers that put <s> and </s> around texts.
HuggingFaceTokenizerFiles framed_piece_files(const ModelToExport&);
/// tokenizer.model, the same for language models.
HuggingFaceTokenizerFiles text_piece_files(const ModelToExport&);

}  // namespace gloss
