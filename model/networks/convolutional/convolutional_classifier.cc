// SPDX-License-Identifier: Apache-2.0

#include "model/networks/convolutional/convolutional_classifier.h"

#include <numeric>

#include "base/index.h"
#include "model/layers/initialisers.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/step_rows.h"

namespace gloss {
namespace {

/// For each row the number of the row `offset` tokens after it; -1 beyond the ends of its sentence.
std::vector<int> neighbours(const PackedRows& rows, int offset) {
  std::vector<int> numbers(rows.tokens.size(), -1);
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const int first = rows.start(sentence), end = rows.start(sentence + 1);
    for (int row = first; row < end; ++row) {
      if (row + offset >= first && row + offset < end) numbers[index(row)] = row + offset;
    }
  }
  return numbers;
}

/// [T, tokens * width]: the embeddings of the window of `tokens` around each row; if their number is even,
/// one more before than after it.
Tensor token_windows(const Tensor& embedded, const PackedRows& rows, int tokens) {
  if (tokens == 1) return embedded;
  std::vector<Tensor> parts;
  for (int i = 0; i < tokens; ++i) parts.push_back(take_rows(embedded, neighbours(rows, i - tokens / 2)));
  return join_columns(parts);
}

}  // namespace

ConvolutionalClassifier::ConvolutionalClassifier(const NetworkSizes& sizes,
                                                 const ConvolutionalSettings& settings,
                                                 const ClassifierSettings& classes,
                                                 const VocabularySettings& vocabulary, Parameters& parameters)
    : ClassifierNetwork(classes, vocabulary), sizes_(sizes) {
  table_ = declare_table(parameters, sizes, sizes.width, vocabulary);
  for (const int tokens : filter_widths_of(settings)) {
    const std::int64_t inputs = std::int64_t{tokens} * sizes.width;
    groups_.push_back({tokens, Linear(parameters, concat("convolution.", tokens), inputs, settings.filters,
                                      xavier_uniform(inputs, settings.filters))});
  }
  declare_classes(parameters, static_cast<std::int64_t>(groups_.size()) * settings.filters);
}

ClassifierNetwork::Read ConvolutionalClassifier::read(const PackedRows& rows, Random* random,
                                                      std::vector<float>*) const {
  const DropoutMask of_embeddings = dropout_mask(sizes_.embedding_dropout, random);
  const DropoutMask of_features = dropout_mask(sizes_.dropout, random);
  std::vector<int> numbers(rows.tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const Tensor embedded = embed_tokens(table_, rows.tokens, sizes_, of_embeddings, numbers);
  std::vector<Tensor> features;
  for (const FilterGroup& group : groups_) {
    features.push_back(group.filters.relu(token_windows(embedded, rows, group.width), {}));
  }
  return {features.size() == 1 ? features.front() : join_columns(features), of_features};
}

}  // namespace gloss
