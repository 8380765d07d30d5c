// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace gloss {

/// A part of a text during merging; empty after it was merged into its left neighbour.
struct MergedPart {
  std::string_view text;
  int before, after;  ///< neighbours, or -1
  bool fixed;         ///< never merged
};

/// Appends a part to those of a text, which start as a chain.
inline void append_part(std::vector<MergedPart>& parts, std::string_view text, bool fixed) {
  const int place = static_cast<int>(parts.size());
  if (place > 0) parts.back().after = place;
  parts.push_back({text, place - 1, -1, fixed});
}

/// Byte-pair encoding (Sennrich et al. 2016): merges neighbours while `score` returns a number for some pair,
/// first the pair with the highest score, among equals the leftmost. `score(left, right)` gets the texts of
/// two neighbours; `skip()` decides whether to give up a merge.
template <class Score, class Skip>
void merge_pairs(std::vector<MergedPart>& parts, const Score& score, const Skip& skip) {
  struct Pair {
    float score;
    int left, right;
    std::size_t size;

    bool operator<(const Pair& other) const {
      return score < other.score || (score == other.score && left > other.left);
    }
  };
  const auto part = [&](int place) -> MergedPart& { return parts[index(place)]; };
  std::priority_queue<Pair> pairs;
  const auto consider = [&](int left, int right) {
    if (left < 0 || right < 0 || part(left).fixed || part(right).fixed) return;
    const std::optional<float> found = score(part(left).text, part(right).text);
    if (found) pairs.push({*found, left, right, part(left).text.size() + part(right).text.size()});
  };
  for (int place = 1; place < static_cast<int>(parts.size()); ++place) consider(place - 1, place);

  while (!pairs.empty()) {
    const Pair pair = pairs.top();
    pairs.pop();
    MergedPart& left = part(pair.left);
    MergedPart& right = part(pair.right);
    const bool outdated =
        left.text.empty() || right.text.empty() || left.text.size() + right.text.size() != pair.size;
    if (outdated || skip()) continue;
    left.text = std::string_view(left.text.data(), pair.size);
    left.after = right.after;
    if (right.after >= 0) part(right.after).before = pair.left;
    right.text = {};
    consider(left.before, pair.left);
    consider(pair.left, left.after);
  }
}

/// Calls `take` with the text of each part that is left.
template <class Take>
void for_each_left(const std::vector<MergedPart>& parts, const Take& take) {
  for (int place = parts.empty() ? -1 : 0; place >= 0; place = parts[index(place)].after) {
    take(parts[index(place)].text);
  }
}

}  // namespace gloss
