// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/lexical_table.h"

#include <algorithm>
#include <utility>

#include "pipeline/alignment/co_occurrences.h"
#include "pipeline/alignment/expected_counts.h"
#include "pipeline/alignment/token_shares.h"

namespace gloss {
LexicalTable::LexicalTable(const PairSides& sides, int source_vocabulary, int threads)
    : none_(source_vocabulary), starts_(index(source_vocabulary) + 2) {
  const CoOccurrences together(sides, source_vocabulary);
  together.each_source(threads, [&](TokenId source, std::span<const TokenId> targets) {
    // A third is free: a search is short, and that for an absent token ends.
    starts_[index(source) + 1] = targets.empty() ? 0 : targets.size() + targets.size() / 2 + 1;
  });
  for (std::size_t source = 1; source < starts_.size(); ++source) starts_[source] += starts_[source - 1];
  slots_.resize(starts_.back());
  together.each_source(threads, [&](TokenId source, std::span<const TokenId> targets) {
    for (const TokenId target : targets) {
      slots_[place(source, target)] = {target, 1.0f / static_cast<float>(targets.size())};
    }
  });
}

void LexicalTable::count(std::size_t place, float expected) {
  add_count(slots_[place].count, static_cast<double>(expected));
}

void LexicalTable::renew(int threads) {
  each_token_share(threads, none_ + 1, [&](TokenId first, TokenId step) {
    for (TokenId source = first; source <= none_; source += step) renew_slots(source);
  });
}

void LexicalTable::renew_slots(TokenId source) {
  const std::size_t first = starts_[index(source)], last = starts_[index(source) + 1];
  std::uint64_t total = 0;
  for (std::size_t at = first; at < last; ++at) total += slots_[at].count;
  for (std::size_t at = first; at < last; ++at) {
    const std::uint64_t count = std::exchange(slots_[at].count, 0);
    const auto share = static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, total));
    slots_[at].probability = static_cast<float>(share);
  }
}

std::vector<LexicalTable::Entry> LexicalTable::best(TokenId source, int count) const {
  constexpr float kLeast = 1e-5f;  // lower probabilities are noise
  std::vector<Entry> entries;
  for (std::size_t at = starts_[index(source)]; at < starts_[index(source) + 1]; ++at) {
    if (slots_[at].probability >= kLeast) entries.push_back({slots_[at].target, slots_[at].probability});
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.probability != b.probability ? a.probability > b.probability : a.target < b.target;
  });
  entries.resize(std::min(entries.size(), index(count)));
  return entries;
}

}  // namespace gloss
