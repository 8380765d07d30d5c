// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

/// How the words of a sentence become one vector: their sum, or their sum weighted by element and position.
enum class SentenceEncoding { bag, position };

/// Which matrices the hops share: the values of a hop are the keys of the next one (adjacent), or all hops
/// have the same keys and the same values, and a matrix maps the state between hops, as in a recurrent
/// network (layerwise).
enum class HopTying { adjacent, layerwise };

/// Settings of memory networks (Sukhbaatar et al. 2015) besides NetworkSizes.
struct MemorySettings {
  int hops = 3;
  SentenceEncoding sentence_encoding = SentenceEncoding::position;
  HopTying hop_tying = HopTying::adjacent;
  bool temporal_encoding = true;  ///< the age of a sentence has an embedding
  int memories = 50;              ///< most sentences in memory: the latest of a story
  /// Training inserts up to this share of a story's sentences as empty memories, which makes sentences older.
  double empty_memories = 0.1;
  int linear_start = 0;  ///< first epochs of a training, in which attention has no softmax
};
Fields fields_of(MemorySettings&);

}  // namespace gloss
