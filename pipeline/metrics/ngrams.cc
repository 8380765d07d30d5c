// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/ngrams.h"

#include <algorithm>

#include "base/index.h"

namespace gloss {

void NgramCounts::clear(int max_order) {
  max_order_ = max_order;
  counts_.assign(1, 0);
  first_ = true;
  if (++round_ == 0) {  // after an overflow, old slots would look current
    std::fill(slots_.begin(), slots_.end(), Slot());
    round_ = 1;
  }
}

void NgramCounts::add(std::span<const std::uint32_t> symbols) {
  if (!first_) seen_.assign(counts_.size(), 0);
  for (std::size_t start = 0; start < symbols.size(); ++start) {
    const std::size_t end = std::min(symbols.size(), start + index(max_order_));
    std::uint32_t node = 0;
    for (std::size_t at = start; at < end; ++at) {
      node = find_or_add(node, symbols[at]);
      if (first_) {
        ++counts_[node];
      } else {
        if (node >= seen_.size()) seen_.resize(node + 1, 0);
        counts_[node] = std::max(counts_[node], ++seen_[node]);
      }
    }
  }
  first_ = false;
}

void NgramCounts::match(std::span<const std::uint32_t> symbols, std::span<std::int64_t> matches) {
  seen_.assign(counts_.size(), 0);
  for (std::size_t start = 0; start < symbols.size(); ++start) {
    const std::size_t end = std::min(symbols.size(), start + index(max_order_));
    std::uint32_t node = 0;
    for (std::size_t at = start; at < end; ++at) {
      node = find(node, symbols[at]);
      if (node == 0) break;  // then longer n-grams do not match either
      if (seen_[node] < counts_[node]) {
        ++seen_[node];
        ++matches[at - start];
      }
    }
  }
}

std::uint32_t NgramCounts::find(std::uint32_t prefix, std::uint32_t symbol) const {
  const std::uint64_t key = (std::uint64_t{prefix} << 32) | symbol;
  std::size_t at = first_slot(key);
  while (slots_[at].round == round_) {
    if (slots_[at].key == key) return slots_[at].node;
    at = (at + 1) & (slots_.size() - 1);
  }
  return 0;
}

std::uint32_t NgramCounts::find_or_add(std::uint32_t prefix, std::uint32_t symbol) {
  const std::uint64_t key = (std::uint64_t{prefix} << 32) | symbol;
  std::size_t at = first_slot(key);
  while (slots_[at].round == round_) {
    if (slots_[at].key == key) return slots_[at].node;
    at = (at + 1) & (slots_.size() - 1);
  }
  const auto node = static_cast<std::uint32_t>(counts_.size());
  counts_.push_back(0);
  slots_[at] = {key, node, round_};
  if (2 * counts_.size() > slots_.size()) grow();
  return node;
}

void NgramCounts::grow() {
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
