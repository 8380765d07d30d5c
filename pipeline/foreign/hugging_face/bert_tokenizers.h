// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The tokenizer of BERT or a relative. Its begin and end tokens are those around each text.
struct EncoderTokenizer {
  std::shared_ptr<const Subwords> subwords;
  std::string mask_name;  ///< such as "[MASK]"
  int mask = -1;          ///< its id; -1: no piece
  std::string path;       ///< of the vocabulary, for messages
  std::vector<std::string> notes{};
};

/// Reads vocab.txt (WordPiece), sentencepiece.bpe.model (XLM-R), spiece.model (whose ids are those of the
/// network), or vocab.json and merges.txt (RoBERTa).
EncoderTokenizer read_encoder_tokenizer(const HuggingFaceFiles&);

}  // namespace gloss
