// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translation_memory.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "pipeline/reading/two_columns.h"

namespace gloss {
namespace {

constexpr TokenId kNoToken = -1;  // before the first token and after the last

constexpr std::size_t kMostTokens = 1'000'000'000;

/// The pairs of neighbouring tokens of a sentence, its ends included, each once.
std::vector<std::uint64_t> neighbours_of(std::span<const TokenId> sentence) {
  std::vector<std::uint64_t> neighbours;
  TokenId before = kNoToken;
  const auto add = [&](TokenId token) {
    neighbours.push_back(std::uint64_t{static_cast<std::uint32_t>(before)} << 32 |
                         static_cast<std::uint32_t>(token));
    before = token;
  };
  for (const TokenId token : sentence) add(token);
  add(kNoToken);
  std::ranges::sort(neighbours);
  neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  return neighbours;
}

}  // namespace

TranslationMemory TranslationMemory::read(const std::string& path, const Subwords& source,
                                          const Subwords& target, Normalization normalization,
                                          TargetOrder order) {
  TranslationMemory memory;
  TwoColumns pairs(path, {"source", "translation",
                          [&](const std::string& text) { return clean_text(text, normalization).text; }});
  while (pairs.next()) {
    std::vector<TokenId> translation = target.encode(pairs.second());
    if (order == TargetOrder::right_to_left) std::ranges::reverse(translation);
    memory.add(source.encode(pairs.first()), translation);
    if (memory.targets_.tokens.size() > kMostTokens) {
      throw pairs.wrong("the translations so far have more than ", kMostTokens,
                        " tokens, the most that a memory has");
    }
  }
  memory.index_pairs();
  return memory;
}

void TranslationMemory::add(std::span<const TokenId> source, std::span<const TokenId> target) {
  const std::vector<std::uint64_t> all = neighbours_of(source);
  for (const std::uint64_t neighbours : all) occurrences_.push_back({neighbours, pairs()});
  neighbours_.push_back(static_cast<std::int32_t>(all.size()));
  targets_.add(target);
}

void TranslationMemory::index_pairs() { std::ranges::sort(occurrences_); }

std::vector<TranslationMemory::Occurrences> TranslationMemory::occurrences(
    std::span<const TokenId> source) const {
  std::vector<Occurrences> found;
  for (const std::uint64_t neighbours : neighbours_of(source)) {
    const auto begin = std::ranges::lower_bound(occurrences_, neighbours, {}, &Occurrence::neighbours);
    const auto end =
        std::upper_bound(begin, occurrences_.end(), neighbours,
                         [](std::uint64_t value, const Occurrence& it) { return value < it.neighbours; });
    found.emplace_back(begin, end);
  }
  std::ranges::stable_sort(found, {}, &Occurrences::size);
  return found;
}

std::span<const TokenId> TranslationMemory::closest(std::span<const TokenId> source) const {
  constexpr std::size_t kMostLookedAt = 20'000;  // occurrences: those of frequent neighbours tell the least
  constexpr double kLeastShared = 0.4;           // of the source's pairs of neighbours
  const std::vector<Occurrences> all = occurrences(source);
  std::unordered_map<std::int32_t, int> shared;
  std::size_t looked_at = 0;
  for (const Occurrences& occurrences : all) {
    looked_at += occurrences.size();
    if (looked_at > kMostLookedAt) break;
    for (const Occurrence& occurrence : occurrences) ++shared[occurrence.pair];
  }
  std::tuple<double, std::int32_t, int> best;  // similarity; minus the pair: the first of several; shared
  for (const auto& [pair, count] : shared) {
    const double similarity = 2.0 * count / (static_cast<double>(all.size()) + neighbours_[index(pair)]);
    best = std::max(best, {similarity, -pair, count});
  }
  const auto [similarity, minus_pair, count] = best;
  if (count < kLeastShared * static_cast<double>(all.size())) return {};
  return targets_.row(-minus_pair);
}

}  // namespace gloss
