// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/pair_languages.h"

#include <algorithm>
#include <array>
#include <vector>

#include "pipeline/identification/language_codes.h"
#include "pipeline/identification/line_letters.h"

namespace gloss {
namespace {

/// How often the sides are as PairLanguages says, in its order, in a corpus worth cleaning.
constexpr std::array kPriors{0.94, 0.02, 0.015, 0.015, 0.01};

/// The probabilities that a side is in its own language and in that of the other side. A few letters are weak
/// evidence: names and "OK" are in any language.
struct SideLanguages {
  double own = 0, other = 0;
};

SideLanguages side_languages(const LanguageIdentifier& identifier, std::string_view line,
                             const std::string& own, const std::string& other) {
  constexpr std::size_t kGuesses = 5;
  const std::vector<LanguageIdentifier::Guess> guesses = identifier.identify(line, kGuesses);
  if (guesses.empty()) return {1, 0};
  SideLanguages side;
  for (const LanguageIdentifier::Guess& guess : guesses) {
    if (same_language(guess.language, own)) {
      side.own += guess.probability;
    } else if (same_language(guess.language, other)) {
      side.other += guess.probability;
    }
  }
  constexpr std::size_t kEnough = 12;
  const double weight = static_cast<double>(line_letters(line, kEnough).letters) / kEnough;
  return {std::min(1 - weight * (1 - side.own), 1.0), std::min(weight * side.other, 1.0)};
}

}  // namespace

PairLanguages pair_languages(const LanguageIdentifier& identifier, std::string_view source,
                             std::string_view target, const std::string& source_language,
                             const std::string& target_language) {
  const SideLanguages from = side_languages(identifier, source, source_language, target_language);
  const SideLanguages to = side_languages(identifier, target, target_language, source_language);
  const std::array likelihoods{from.own * to.own, from.other * to.other, (1 - from.own) * to.own,
                               from.own * (1 - to.own), (1 - from.own) * (1 - to.own)};
  std::size_t best = 0;
  for (std::size_t i = 1; i < likelihoods.size(); ++i) {
    if (kPriors[i] * likelihoods[i] > kPriors[best] * likelihoods[best]) best = i;
  }
  return static_cast<PairLanguages>(best);
}

}  // namespace gloss
