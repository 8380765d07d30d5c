// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pipeline/examples/languages.h"
#include "tokenizer/text.h"

namespace gloss {

/// The text settings of a model besides its tokenizers: the member "text" of config.json.
struct TextFormat {
  Normalization normalization = Normalization::none;
  /// The mask token of a masked model: a piece, or the id after those of the pieces; -1: none.
  int mask_token = -1;
  std::vector<std::string> labels{};  ///< of a classifier, in the order of its classes
  bool stories = false;               ///< of a classifier: it answers questions about stories
  /// A language model predicts the first token of a text from nothing: no begin token precedes the text.
  bool bare_start = false;
  int pair_ends = 1;  ///< of a classifier: end tokens between two texts
  /// Tokens before each source and the first tokens of each target, without those of languages.
  std::vector<int> source_prefix{}, target_prefix{};
  bool source_end = true;  ///< each source is followed by the end token
  LanguageTokens languages{};
  TargetOrder target_order = TargetOrder::left_to_right;  ///< in which a translation model predicts tokens
  /// Settings of the search that are the defaults of this model, by their names.
  std::map<std::string, double> search{};
};

/// Reads the text settings from config.json of a model directory. Throws InputError if they are missing or
/// invalid.
TextFormat read_text_format(const std::string& directory);
/// The member "text" of config.json.
nlohmann::json text_settings(TextFormat);
/// Throws InputError, with `where`, if an id is not that of a piece.
void expect_pieces(const TextFormat&, int source_pieces, int target_pieces, const std::string& where);

/// The tokens around the lines of a source in this language; empty: the model's default. Throws UsageError if
/// the model does not have the language, or needs one and has no default.
LineFrame source_frame(const TextFormat&, const std::string& language);
/// The tokens around the lines of both sides.
PairFrame frame_of(const TextFormat&, const LanguageChoice&);

}  // namespace gloss
