// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/memory_network.h"

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/layers/initialisers.h"
#include "model/tensor/ops_memory.h"

namespace gloss {
namespace {

/// Standard deviation of new weights, as in the paper.
constexpr double kMemoryDeviation = 0.1;

}  // namespace

MemoryNetwork::MemoryNetwork(const NetworkSizes& sizes, const MemorySettings& settings,
                             const ClassifierSettings& classes, const VocabularySettings& vocabulary,
                             Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary),
      settings_(settings),
      vocabulary_(vocabulary),
      width_(sizes.width) {
  const bool adjacent = settings.hop_tying == HopTying::adjacent;
  const int memories = adjacent ? settings.hops + 1 : 2;
  for (int i = 0; i < memories; ++i) memories_.push_back(declare_memory(parameters, concat("memory.", i)));
  if (adjacent) {
    question_ = memories_.front().words;
  } else {
    question_ = parameters.declare("question.weight", {vocabulary.source, width_},
                                   normal_values(kMemoryDeviation), Role::table);
    between_.emplace(parameters, "hop", width_, width_, normal_values(kMemoryDeviation), false);
  }
  declare_classes(parameters, width_);
}

MemoryNetwork::Memory MemoryNetwork::declare_memory(Parameters& parameters, const std::string& name) const {
  const auto declare = [&](const std::string& table, std::int64_t rows) {
    return parameters.declare(concat(name, ".", table, ".weight"), {rows, width_},
                              normal_values(kMemoryDeviation), Role::table);
  };
  Memory memory{declare("words", vocabulary_.source), {}};
  if (settings_.temporal_encoding) memory.ages = declare("ages", settings_.memories);
  return memory;
}

MemoryStories MemoryNetwork::stories_of(const PackedRows& rows, const Reading& reading) const {
  MemoryStories stories(rows, vocabulary_.begin, vocabulary_.end, settings_.memories);
  const bool inserts =
      reading.random != nullptr && settings_.temporal_encoding && settings_.empty_memories > 0;
  if (inserts) stories.insert_empty(settings_.empty_memories, *reading.random);
  return stories;
}

Tensor MemoryNetwork::remember(const Memory& memory, const MemoryStories& stories) const {
  const auto rows = static_cast<std::int64_t>(std::max<std::size_t>(1, stories.ages.size()));
  const Tensor sentences = embed_sentences(memory.words, stories.words, stories.starts,
                                           settings_.sentence_encoding == SentenceEncoding::position, rows);
  if (!memory.ages) return sentences;
  std::vector<int> ages = stories.ages;
  ages.resize(index(rows), -1);
  const std::vector<int> no_places(ages.size(), 0);
  return add_dropout(sentences, embed(memory.ages, {}, ages, no_places, 1, {}), {});
}

Tensor MemoryNetwork::states_of(const MemoryStories& stories, const Reading& reading,
                                std::vector<Tensor>* weights) const {
  const int rows = round_up(std::max(stories.rows(), 1), reading.multiple);
  const bool linear = reading.random != nullptr && reading.epoch < settings_.linear_start;
  const bool adjacent = settings_.hop_tying == HopTying::adjacent;
  Tensor state = embed_sentences(question_, stories.asked, stories.questions,
                                 settings_.sentence_encoding == SentenceEncoding::position, rows);
  const std::vector<AttentionSpan> spans = stories.spans();
  Tensor keys = remember(memories_.front(), stories), values;
  for (int hop = 0; hop < settings_.hops; ++hop) {
    if (hop == 0 || adjacent) values = remember(memories_[index(hop + 1)], stories);
    const Attended read = linear ? attend_linearly(state, keys, values, spans)
                                 : attend(state, keys, values, {}, spans, {1, 1.0f});
    if (weights != nullptr) weights->push_back(read.weights);
    state = add_dropout(between_ ? (*between_)(state) : state, read.context, {});
    if (adjacent) keys = values;
  }
  return state;
}

ClassifierNetwork::Read MemoryNetwork::summaries(const PackedRows& rows, const Reading& reading) const {
  return {states_of(stories_of(rows, reading), reading, nullptr), {}};
}

ClassifierNetwork::Read MemoryNetwork::read(const PackedRows& rows, Random* random,
                                            std::vector<float>* attention) const {
  expects(attention == nullptr, "a memory network has no attention to words");
  // Each token has the state of its row.
  const Reading reading{.multiple = kDecodingRows, .random = random};
  std::vector<int> row_of_token(rows.tokens.size(), -1);
  for (int row = 0; row < rows.sentences(); ++row) {
    std::fill(row_of_token.begin() + rows.start(row), row_of_token.begin() + rows.start(row + 1), row);
  }
  return {take_rows(states_of(stories_of(rows, reading), reading, nullptr), std::move(row_of_token)), {}};
}

std::vector<float> MemoryNetwork::answer(const TokenRows& source,
                                         std::vector<std::vector<float>>& weights) const {
  const PackedRows rows(source, kDecodingRows);
  const Reading reading{.multiple = kDecodingRows};
  const MemoryStories stories = stories_of(rows, reading);
  std::vector<Tensor> of_hops;
  const Tensor states = states_of(stories, reading, &of_hops);
  weights.clear();
  for (int row = 0; row < stories.rows(); ++row) {
    std::vector<float> read;
    for (const Tensor& hop : of_hops) {
      const auto begin = hop.values().begin() + stories.first_memory(row);
      read.insert(read.end(), index(stories.forgotten[index(row)]), 0.0f);
      read.insert(read.end(), begin, begin + stories.in_memory[index(row)]);
    }
    weights.push_back(std::move(read));
  }
  return class_probabilities(states, stories.rows());
}

}  // namespace gloss
