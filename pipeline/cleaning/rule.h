// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cleaning/pair_text.h"
#include "pipeline/identification/language_identifier.h"
#include "tokenizer/pattern.h"

namespace gloss {

/// The values that a rule keeps. An empty bound holds for all values.
struct Bounds {
  std::optional<double> at_least{}, above{}, at_most{}, below{};

  bool hold(double value) const {
    return (!at_least || value >= *at_least) && (!above || value > *above) &&
           (!at_most || value <= *at_most) && (!below || value < *below);
  }
  /// For tables, such as ">= 1, <= 100".
  std::string text() const;
};

enum class Side { source, target };

/// True for languages whose words have no spaces between, as hardrules lists them.
bool has_no_spaces(std::string_view language);

/// What a rule may know beside the text.
struct RuleSetup {
  std::vector<std::string> languages{};  ///< of both sides; empty: unknown
  std::shared_ptr<const LanguageIdentifier> identifier{};
  std::string text{};                        ///< for rules that look for a text of the user
  std::shared_ptr<const Pattern> pattern{};  ///< the text as a regular expression

  /// The language of a side; empty: unknown.
  std::string_view language(Side side) const {
    const auto place = static_cast<std::size_t>(side);
    return place < languages.size() ? std::string_view(languages[place]) : std::string_view();
  }
};

/// A measure of a pair, or of each of its sides, that separates good pairs from bad ones.
struct Rule {
  std::string_view name;
  std::string_view meaning;  ///< what the value is
  std::string_view anchor;   ///< the program and the place whose definition the rule follows; empty: of gloss
  Bounds bounds{};           ///< unless a preset or the user has others
  double (*of_side)(const SideText&, const RuleSetup&, Side) = nullptr;  ///< null: the value is of the pair
  double (*of_pair)(const PairText&, const RuleSetup&) = nullptr;
  enum class Needs { nothing, languages, identifier, text, pattern } needs = Needs::nothing;
};

/// All rules, in the order of the documentation.
std::span<const Rule* const> rules();
/// The rule of this name. Throws UsageError, which suggests a similar one.
const Rule& rule_named(const std::string& name);

// The tables of the rules.
std::span<const Rule> length_rules();
std::span<const Rule> character_rules();
std::span<const Rule> noise_rules();
std::span<const Rule> similarity_rules();
std::span<const Rule> agreement_rules();
std::span<const Rule> language_rules();

}  // namespace gloss
