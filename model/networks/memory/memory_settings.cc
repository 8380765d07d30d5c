// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/memory_settings.h"

namespace gloss {

Fields fields_of(MemorySettings& s) {
  constexpr double kMostHops = 100, kMostMemories = 1 << 20, kMostEpochs = 1e6;
  Fields fields{
      {"hops", &s.hops, "number of looks at the sentences of a story", {1, kMostHops}},
      {"sentence_encoding", choice(s.sentence_encoding, {"bag", "position"}),
       "vector of a sentence: the sum of its words (bag), or a sum with weights that depend on their "
       "positions"},
      {"hop_tying", choice(s.hop_tying, {"adjacent", "layerwise"}),
       "embeddings that hops share: the values of a hop are the keys of the next (adjacent), or all hops "
       "have "
       "the same keys and values, with a matrix between hops (layerwise)"},
      {"temporal_encoding", &s.temporal_encoding, "add an embedding of its age to each sentence"},
      {"memories",
       &s.memories,
       "most sentences in memory; of longer stories, the first ones are ignored",
       {1, kMostMemories}},
      {"empty_memories",
       &s.empty_memories,
       "largest share of empty memories put between the sentences of a story in training, at random",
       {0, 10}},
      {"linear_start",
       &s.linear_start,
       "number of epochs at the start of the training without the softmax of the attention",
       {0, kMostEpochs}},
  };
  add_traits(fields, kTrainingOnly, s.empty_memories, s.linear_start);
  return fields;
}

}  // namespace gloss
