// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/foreign/hugging_face/tokenizer_to_export.h"
#include "pipeline/foreign/shared/export_format.h"

namespace gloss {

/// The files from which a tokenizer class of transformers reads a tokenizer.
struct HuggingFaceTokenizerFiles {
  /// With the members that every class has.
  HuggingFaceTokenizerFiles(const ModelToExport&, const std::string& tokenizer_class);

  nlohmann::json config;                                     ///< tokenizer_config.json
  nlohmann::json special_tokens = nlohmann::json::object();  ///< special_tokens_map.json
  std::map<std::string, std::string> files;                  ///< further ones: names and contents

  /// Names a special token, such as "unk_token"; an id of -1 is no token.
  void name(const std::string& what, const TokenizerToExport&, int id);
  /// Lists all special tokens with their ids.
  void list_specials(const TokenizerToExport&);
};

/// vocab.txt of a WordPiece tokenizer, for BERT.
HuggingFaceTokenizerFiles word_piece_files(const ModelToExport&);
/// vocab.json and merges.txt of byte-level BPE, for GPT-2, RoBERTa and BART.
HuggingFaceTokenizerFiles byte_pair_files(const ModelToExport&, const std::string& tokenizer_class);

}  // namespace gloss
