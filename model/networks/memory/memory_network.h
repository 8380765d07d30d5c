// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/networks/classifier_network.h"
#include "model/networks/memory/memory_settings.h"
#include "model/networks/memory/memory_stories.h"
#include "model/networks/parts/network_sizes.h"

namespace gloss {

/// An end-to-end memory network (Sukhbaatar et al. 2015): answers a question about a story by looking at its
/// sentences in several hops. A hop compares the state, at first the embedding of the question, with the key
/// of each sentence, and adds the mean of the sentences' values, weighted by the softmax of these products.
/// The answers are classes. Rows as in MemoryStories.
class MemoryNetwork : public ClassifierNetwork, public SentenceReader {
 public:
  MemoryNetwork(const NetworkSizes&, const MemorySettings&, const ClassifierSettings&,
                const VocabularySettings&, Parameters&);
  const SentenceReader* sentence_reader() const override { return this; }
  int hops() const override { return settings_.hops; }
  std::vector<float> answer(const TokenRows&, std::vector<std::vector<float>>& weights) const override;
  std::string attention_missing() const override {
    return "a memory network looks at sentences, not at words; 'gloss answer --explain' shows them";
  }

 private:
  /// Embeddings of words and of the ages of sentences.
  struct Memory {
    Tensor words, ages;
  };

  Read summaries(const PackedRows&, const Reading&) const override;
  Read read(const PackedRows&, Random*, std::vector<float>* attention) const override;
  Memory declare_memory(Parameters&, const std::string& name) const;
  MemoryStories stories_of(const PackedRows&, const Reading&) const;
  /// The state after the last hop of each question; `weights`, if not null, receives those of each hop.
  Tensor states_of(const MemoryStories&, const Reading&, std::vector<Tensor>* weights) const;
  /// One row for each sentence in memory.
  Tensor remember(const Memory&, const MemoryStories&) const;

  MemorySettings settings_;
  VocabularySettings vocabulary_;
  std::int64_t width_;
  /// Of hop h: the keys are memories_[h], the values memories_[h + 1]; layerwise: 0 and 1 for all hops.
  std::vector<Memory> memories_;
  Tensor question_;                // embeddings of the words of questions
  std::optional<Linear> between_;  // hops, if they are tied layerwise
};

}  // namespace gloss
