// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/line_links.h"

#include <algorithm>

namespace gloss {

void LineLinks::translate(std::span<const TokenId> given, std::span<const TokenId> generated,
                          const LexicalTable& table) {
  constexpr float kLeast = 1e-9f;  // for translations that occur but have no counts left
  links.resize(static_cast<int>(given.size()), static_cast<int>(generated.size()));
  places_.clear();
  const auto fetch = [&](std::size_t word) {
    if (word >= generated.size()) return;
    for (const TokenId by : given) table.fetch(by, generated[word]);
  };
  fetch(0);
  for (std::size_t word = 0; word < generated.size(); ++word) {
    fetch(word + 1);
    const TokenId token = generated[word];
    places_.push_back(table.place(table.none(), token));
    for (const TokenId by : given) places_.push_back(table.place(by, token));
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    links.weights[i] = std::max(kLeast, table.probability(places_[i]));
  }
}

void LineLinks::count(LexicalTable& table) const {
  for (std::size_t i = 0; i < places_.size(); ++i) table.count(places_[i], links.weights[i]);
}

}  // namespace gloss
