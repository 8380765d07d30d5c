// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/pair_decision.h"

#include <memory>
#include <vector>

namespace gloss {

PairLanguages decided_languages(const RuleSetup& setup, std::string_view source, std::string_view target) {
  struct Decision {
    std::shared_ptr<const LanguageIdentifier> identifier{};
    std::vector<std::string> languages{};
    std::string source{}, target{};
    PairLanguages found = PairLanguages::right;
  };
  thread_local Decision last;
  if (last.identifier == setup.identifier && last.languages == setup.languages) {
    if (last.source == source && last.target == target) return last.found;
    const bool was_swapped =
        last.found == PairLanguages::swapped && last.source == target && last.target == source;
    if (was_swapped) return PairLanguages::right;
  }
  last = {setup.identifier, setup.languages, std::string(source), std::string(target),
          pair_languages(*setup.identifier, source, target, std::string(setup.language(Side::source)),
                         std::string(setup.language(Side::target)))};
  return last.found;
}

}  // namespace gloss
