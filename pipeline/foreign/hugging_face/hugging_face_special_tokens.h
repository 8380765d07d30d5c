// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_files.h"

namespace gloss {

/// What special_tokens_map.json, tokenizer_config.json and added_tokens.json say about special tokens.
struct SpecialTokens {
  std::map<std::string, std::string> named;  ///< such as "unk_token" and "<unk>"
  std::vector<std::string> additional;       ///< in the order of their ids
  std::set<std::string> taking_spaces;       ///< spaces before them belong to them
  std::map<int, std::string> added;          ///< those with ids of their own
  bool attaches_punctuation = true;          ///< decoding removes spaces before punctuation
  bool lower_case = true;                    ///< of WordPiece
  std::string source_language, target_language;
  bool language_after = false;  ///< NLLB's older way: the language follows the source
  bool adds_begin = false;      ///< of language models: the begin token precedes a text

  /// Names a token that the files do not name.
  void set_default(const std::string& what, const std::string& token, bool takes_spaces = false);
  /// A named token; `otherwise` if the files do not name it.
  std::string name(const std::string& what, const std::string& otherwise) const;
};
/// Reads the files that are there. Throws InputError if one is invalid.
SpecialTokens read_special_tokens(const HuggingFaceFiles&);

}  // namespace gloss
