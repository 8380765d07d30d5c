// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/ngrams.h"

#include <algorithm>

#include "base/index.h"

namespace gloss {

void NgramTrie::clear() {
  nodes_ = 1;
  if (++round_ == 0) {  // after an overflow, old slots would look current
    std::fill(slots_.begin(), slots_.end(), Slot());
    round_ = 1;
  }
}

void NgramCounts::clear(int max_order) {
  max_order_ = max_order;
  trie_.clear();
  counts_.assign(1, 0);
  first_ = true;
}

void NgramCounts::add(std::span<const std::uint32_t> symbols) {
  if (!first_) seen_.assign(counts_.size(), 0);
  trie_.add_each(symbols, index(max_order_), [this](std::uint32_t node, std::size_t) {
    if (node >= counts_.size()) counts_.push_back(0);
    if (first_) {
      ++counts_[node];
    } else {
      if (node >= seen_.size()) seen_.resize(node + 1, 0);
      counts_[node] = std::max(counts_[node], ++seen_[node]);
    }
  });
  first_ = false;
}

void NgramCounts::match(std::span<const std::uint32_t> symbols, std::span<std::int64_t> matches) {
  seen_.assign(counts_.size(), 0);
  trie_.find_each(symbols, index(max_order_), [&](std::uint32_t node, std::size_t order) {
    if (seen_[node] == counts_[node]) return;
    ++seen_[node];
    ++matches[order - 1];
  });
}

void MeanNgramCounts::clear(int max_order) {
  trie_.clear();
  means_.assign(1, 0);
  totals_.assign(index(max_order), 0);
}

void MeanNgramCounts::add(std::span<const std::uint32_t> symbols, double weight) {
  trie_.add_each(symbols, totals_.size(), [&](std::uint32_t node, std::size_t order) {
    if (node >= means_.size()) means_.push_back(0);
    means_[node] += weight;
    totals_[order - 1] += weight;
  });
}

void MeanNgramCounts::match(std::span<const std::uint32_t> symbols, std::span<double> matches) {
  std::fill(matches.begin(), matches.end(), 0);
  seen_.assign(means_.size(), 0);
  trie_.find_each(symbols, totals_.size(), [&](std::uint32_t node, std::size_t order) {
    matches[order - 1] += std::clamp(means_[node] - seen_[node]++, 0.0, 1.0);
  });
}

std::uint32_t NgramTrie::find(std::uint32_t prefix, std::uint32_t symbol) const {
  const std::uint64_t key = (std::uint64_t{prefix} << 32) | symbol;
  std::size_t at = first_slot(key);
  while (slots_[at].round == round_) {
    if (slots_[at].key == key) return slots_[at].node;
    at = (at + 1) & (slots_.size() - 1);
  }
  return 0;
}

std::uint32_t NgramTrie::find_or_add(std::uint32_t prefix, std::uint32_t symbol) {
  const std::uint64_t key = (std::uint64_t{prefix} << 32) | symbol;
  std::size_t at = first_slot(key);
  while (slots_[at].round == round_) {
    if (slots_[at].key == key) return slots_[at].node;
    at = (at + 1) & (slots_.size() - 1);
  }
  const std::uint32_t node = nodes_++;
  slots_[at] = {key, node, round_};
  if (std::size_t{2} * nodes_ > slots_.size()) grow();
  return node;
}

void NgramTrie::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.round != round_) continue;
    std::size_t at = first_slot(slot.key);
    while (slots_[at].round == round_) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace gloss
