// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/lexical_table.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/index.h"
#include "base/rounding.h"
#include "base/threads.h"

namespace gloss {
namespace {

constexpr std::int64_t kPairsAtOnce = 4096;  // pairs per work item of a thread
constexpr double kOne = 1 << 20;             // the count 1 in fixed point, so that sums are exact

/// Calls `use` with consecutive runs of the pairs on several threads.
template <class Use>
void each_run(std::span<const TokenPair> pairs, int threads, Use use) {
  const auto count = static_cast<std::int64_t>(pairs.size());
  for_each_item(threads, ceil_div(count, kPairsAtOnce), [&](std::int64_t run) {
    const std::int64_t first = run * kPairsAtOnce;
    use(pairs.subspan(index(first), index(std::min(kPairsAtOnce, count - first))));
  });
}

std::uint64_t key_of(TokenId source, TokenId target) {
  return static_cast<std::uint64_t>(source) << 32 | static_cast<std::uint32_t>(target);
}

}  // namespace

LexicalTable::LexicalTable(std::span<const TokenPair> pairs, int source_vocabulary, int iterations,
                           int threads)
    : none_(source_vocabulary) {
  collect(pairs, threads);
  probabilities_.resize(targets_.size());
  for (TokenId source = 0; source <= none_; ++source) {
    const std::size_t first = starts_[index(source)], last = starts_[index(source) + 1];
    std::fill(probabilities_.begin() + static_cast<std::ptrdiff_t>(first),
              probabilities_.begin() + static_cast<std::ptrdiff_t>(last),
              1.0f / static_cast<float>(std::max<std::size_t>(1, last - first)));
  }
  for (int iteration = 0; iteration < iterations; ++iteration) iterate(pairs, threads);
}

void LexicalTable::collect(std::span<const TokenPair> pairs, int threads) {
  std::vector<std::uint64_t> all;
  std::mutex merging;
  each_run(pairs, threads, [&](std::span<const TokenPair> run) {
    std::vector<std::uint64_t> found;
    for (const TokenPair& pair : run) {
      for (const TokenId target : pair.target) {
        found.push_back(key_of(none_, target));
        for (const TokenId source : pair.source) found.push_back(key_of(source, target));
      }
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const std::lock_guard lock(merging);
    std::vector<std::uint64_t> merged;
    merged.reserve(all.size() + found.size());
    std::ranges::set_union(all, found, std::back_inserter(merged));
    all.swap(merged);
  });
  starts_.assign(index(none_) + 2, 0);
  targets_.reserve(all.size());
  for (const std::uint64_t key : all) {
    ++starts_[(key >> 32) + 1];
    targets_.push_back(static_cast<TokenId>(key & 0xFFFFFFFFU));
  }
  for (std::size_t source = 1; source < starts_.size(); ++source) starts_[source] += starts_[source - 1];
}

void LexicalTable::iterate(std::span<const TokenPair> pairs, int threads) {
  counts_.assign(targets_.size(), 0);
  each_run(pairs, threads, [&](std::span<const TokenPair> run) {
    std::vector<std::size_t> places;
    for (const TokenPair& pair : run) {
      for (const TokenId target : pair.target) {
        places.assign(1, place(none_, target));
        for (const TokenId source : pair.source) places.push_back(place(source, target));
        double sum = 0;
        for (const std::size_t at : places) sum += static_cast<double>(probabilities_[at]);
        if (!(sum > 0)) continue;  // all probabilities have underflowed
        for (const std::size_t at : places) {
          const double share = static_cast<double>(probabilities_[at]) / sum;
          std::atomic_ref(counts_[at])
              .fetch_add(static_cast<std::uint64_t>(std::llround(share * kOne)), std::memory_order_relaxed);
        }
      }
    }
  });
  for (std::size_t source = 0; source + 1 < starts_.size(); ++source) {
    std::uint64_t total = 0;
    for (std::size_t at = starts_[source]; at < starts_[source + 1]; ++at) total += counts_[at];
    for (std::size_t at = starts_[source]; at < starts_[source + 1]; ++at) {
      const auto share =
          static_cast<double>(counts_[at]) / static_cast<double>(std::max<std::uint64_t>(1, total));
      probabilities_[at] = static_cast<float>(share);
    }
  }
}

std::size_t LexicalTable::place(TokenId source, TokenId target) const {
  const auto first = targets_.begin() + static_cast<std::ptrdiff_t>(starts_[index(source)]);
  const auto last = targets_.begin() + static_cast<std::ptrdiff_t>(starts_[index(source) + 1]);
  return index(std::lower_bound(first, last, target) - targets_.begin());
}

std::vector<LexicalTable::Entry> LexicalTable::best(TokenId source, int count) const {
  constexpr float kLeast = 1e-5f;  // lower probabilities are noise
  std::vector<Entry> entries;
  for (std::size_t at = starts_[index(source)]; at < starts_[index(source) + 1]; ++at) {
    if (probabilities_[at] >= kLeast) entries.push_back({targets_[at], probabilities_[at]});
  }
  std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::probability);
  entries.resize(std::min(entries.size(), index(count)));
  return entries;
}

}  // namespace gloss
