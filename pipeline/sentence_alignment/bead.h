// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gloss {

/// Neighbouring sentences of a side: from `first` to before `last`.
struct SentenceRange {
  std::int64_t first = 0, last = 0;

  std::int64_t size() const { return last - first; }
  bool operator==(const SentenceRange&) const = default;
};

/// Neighbouring sentences of both sides that are aligned with one another only.
struct Paragraph {
  SentenceRange source, target;
};

/// Neighbouring sentences of a document and their translation: `sources` sentences from `source` on, and
/// `targets` from `target` on, counted from 0. One side may have none.
struct Bead {
  std::int64_t source = 0, target = 0;
  int sources = 0, targets = 0;
  double score = 0;  ///< log-odds of a translation against chance, in nats

  /// True if both sides have sentences.
  bool is_pair() const { return sources > 0 && targets > 0; }
};

using Beads = std::vector<Bead>;

/// How many sentences a bead has on each side, and how frequent such beads are.
struct BeadShape {
  int sources, targets;
  double frequency;

  bool is_pair() const { return sources > 0 && targets > 0; }
};
/// All shapes of beads. The frequencies of the first six are those that Gale and Church (1993) counted.
inline constexpr std::array<BeadShape, 13> kBeadShapes{{{1, 1, .89},
                                                        {1, 0, .01},
                                                        {0, 1, .01},
                                                        {1, 2, .045},
                                                        {2, 1, .045},
                                                        {2, 2, .011},
                                                        {1, 3, .006},
                                                        {3, 1, .006},
                                                        {1, 4, .003},
                                                        {4, 1, .003},
                                                        {2, 3, .002},
                                                        {3, 2, .002},
                                                        {3, 3, .002}}};
/// The most sentences of a bead on a side.
inline constexpr int kLongestSide = 4;

/// The place of a bead's shape in kBeadShapes.
constexpr std::size_t shape_of(const Bead& bead) {
  const auto* const found = std::ranges::find_if(kBeadShapes, [&](const BeadShape& shape) {
    return shape.sources == bead.sources && shape.targets == bead.targets;
  });
  return static_cast<std::size_t>(found - kBeadShapes.begin());
}

}  // namespace gloss
