// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// The languages of a model that translates between many: each has a token that begins the target, and
/// precedes the source or follows its end. Marian's models know only the language of the target, whose token
/// precedes the source. In mBART-25, the token of the target's language is the begin token of the network, so
/// that there is only one.
struct LanguageTokens {
  enum class Place { before, after };
  enum class TargetPlace { target, source, begin };
  std::map<std::string, int> ids{};  ///< by the model's own codes; empty: no such model
  std::string source, target;        ///< the languages if none are chosen; empty: none
  Place source_place = Place::before;
  TargetPlace target_place = TargetPlace::target;  ///< of the token of the target's language

  bool operator==(const LanguageTokens&) const = default;
};

/// The languages that a command translates between; empty: those of the model.
struct LanguageChoice {
  std::string source, target;
  /// The target names the language of documents, so that a model without languages does not refuse it.
  bool names_documents = false;
};
Fields fields_of(LanguageChoice&);

/// The tokens around the lines of a side.
struct LineFrame {
  std::vector<int> before{};
  std::vector<int> after{};  ///< after the end token
  bool ends = true;          ///< the text is followed by the end token
  bool reversed = false;     ///< the tokens of the text are in reverse order

  bool operator==(const LineFrame&) const = default;
  /// The number of its tokens.
  int size() const { return static_cast<int>(before.size() + after.size()); }
};

/// The order in which a network predicts the tokens of a target's text.
enum class TargetOrder { left_to_right, right_to_left };
/// The names left-to-right and right-to-left.
Choice target_order_choice(TargetOrder&);

/// The tokens around the lines of both sides, and the order of a target's tokens.
struct PairFrame {
  LineFrame source;
  std::vector<int> target{};  ///< the first tokens of each target, whatever the network predicts
  TargetOrder target_order = TargetOrder::left_to_right;

  bool reverses() const { return target_order == TargetOrder::right_to_left; }
  /// The frame of the lines of the target.
  LineFrame of_target() const { return {.before = target, .reversed = reverses()}; }
};

/// The tokens of a line, given from left to right, in its frame. An empty line has the end token in any case:
/// networks need a token.
std::vector<int> framed(const LineFrame&, std::span<const int> tokens, int end);

/// The code of a chosen language as the model has it: `deu` and `de` may be short for `deu_Latn` and `de_DE`,
/// and `de` may mean `deu_Latn`. Throws UsageError, with similar codes and the number of all, if the model
/// has no such language, or several.
std::string language_code(const LanguageTokens&, const std::string& chosen, const std::string& option);

}  // namespace gloss
