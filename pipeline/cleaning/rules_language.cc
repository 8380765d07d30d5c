// SPDX-License-Identifier: Apache-2.0
// Rules about the languages of the sides.
#include <array>
#include <string>
#include <vector>

#include "pipeline/cleaning/pair_decision.h"
#include "pipeline/cleaning/rule.h"
#include "pipeline/identification/language_codes.h"

namespace gloss {
namespace {

double language_probability(const SideText& side, const RuleSetup& setup, Side which) {
  constexpr std::size_t kGuesses = 5;
  const std::vector<LanguageIdentifier::Guess> guesses = setup.identifier->identify(side.bytes, kGuesses);
  if (guesses.empty()) return 1;
  for (const LanguageIdentifier::Guess& guess : guesses) {
    if (same_language(guess.language, std::string(setup.language(which)))) return guess.probability;
  }
  return 0;
}

double wrong_language(const PairText& pair, const RuleSetup& setup) {
  if (pair.one_language) {
    return language_probability(pair.source, setup, Side::source) < 0.5 ? 1 : 0;
  }
  const PairLanguages found = decided_languages(setup, pair.source.bytes, pair.target.bytes);
  return found == PairLanguages::right ? 0 : 1;
}

}  // namespace

std::span<const Rule> language_rules() {
  static const auto table = std::to_array<Rule>({
      {"language",
       "probability of the language of the side; of a text without a language 1",
       "hardrules no_wrong_language",
       {.at_least = 0.5},
       language_probability,
       nullptr,
       Rule::Needs::identifier},
      {"wrong_language",
       "1 if a side is in another language, or both are swapped; both sides are decided together",
       "",
       {.at_most = 0},
       nullptr,
       wrong_language,
       Rule::Needs::identifier},
  });
  return table;
}

}  // namespace gloss
