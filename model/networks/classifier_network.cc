// SPDX-License-Identifier: Apache-2.0

#include "model/networks/classifier_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/layers/initialisers.h"
#include "model/tensor/ops_pooling.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

void ClassifierNetwork::declare_classes(Parameters& parameters, std::int64_t width) {
  if (settings_.inner_layer)
    inner_.emplace(parameters, "classifier.inner", width, width, xavier_uniform(width, width));
  weight_ = parameters.declare("classifier.weight", {classes(), width}, xavier_uniform(width, classes()),
                               Role::matrix);
  bias_ = parameters.declare("classifier.bias", {classes()}, constant_values(0));
}

Tensor ClassifierNetwork::inner(const Tensor& pooled) const {
  return inner_ ? tanh((*inner_)(pooled)) : pooled;
}

Tensor ClassifierNetwork::pooled(const Tensor& states, const PackedRows& rows, int multiple) const {
  const int count = round_up(std::max(rows.sentences(), 1), multiple);
  switch (pooling()) {
    case Pooling::mean:
      return mean_of_rows(states, rows.starts, count);
    case Pooling::max:
      return max_of_rows(states, rows.starts, count);
    case Pooling::first:
    case Pooling::last:
      break;
  }
  std::vector<int> places(index(count), -1);
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const bool first = pooling() == Pooling::first;
    if (rows.length(sentence) == 0) continue;
    places[index(sentence)] = first ? rows.start(sentence) : rows.start(sentence + 1) - 1;
  }
  return take_rows(states, std::move(places));
}

Loss ClassifierNetwork::loss(const Batch& batch, const Regularization* regularization) const {
  const int sentences = batch.source.rows();
  expects(static_cast<int>(batch.target.tokens.size()) == sentences, sentences, " rows with ",
          batch.target.tokens.size(), " labels");
  const PackedRows rows(batch.source, kTrainingRows);
  const Read made = summaries(
      rows, {kTrainingRows, regularization != nullptr ? &regularization->random : nullptr, batch.epoch});
  const Tensor states = inner(made.states);
  std::vector<int> numbers(index(states.rows()));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<TokenId> targets = batch.target.tokens;
  targets.resize(numbers.size(), -1);
  const CrossEntropy lost = softmax_cross_entropy(
      dropout(states, made.dropout, numbers), {weight_, bias_}, targets, token_weights(batch, numbers.size()),
      {regularization != nullptr ? regularization->terms.label_smoothing : 0});
  return {lost.sum, lost.cross_entropy, sentences, weight_of(batch)};
}

Tensor ClassifierNetwork::states(const TokenRows& rows) const {
  return read(PackedRows(rows, kDecodingRows), nullptr, nullptr).states;
}

std::vector<float> ClassifierNetwork::log_probabilities(const Batch& batch) const {
  const std::vector<float> all = classify(batch.source);
  std::vector<float> asked;
  for (std::size_t row = 0; row < batch.target.tokens.size(); ++row) {
    const auto target = index(batch.target.tokens[row]);
    asked.push_back(all[row * index(classes()) + target]);
  }
  return asked;
}

std::vector<float> ClassifierNetwork::classify(const TokenRows& source, std::vector<float>* attention) const {
  expects(attention == nullptr || attention_missing().empty(), "a network without attention weights");
  const PackedRows rows(source, kDecodingRows);
  return class_probabilities(summaries(rows, {.multiple = kDecodingRows, .attention = attention}).states,
                             rows.sentences());
}

ClassifierNetwork::Read ClassifierNetwork::summaries(const PackedRows& rows, const Reading& reading) const {
  const Read made = read(rows, reading.random, reading.attention);
  return {pooled(made.states, rows, reading.multiple), made.dropout};
}

std::vector<float> ClassifierNetwork::class_probabilities(const Tensor& states, int sentences) const {
  const Tensor scores = vocabulary_scores(inner(states), {weight_});
  const auto count = index(classes());
  std::vector<float> all;
  for (int sentence = 0; sentence < sentences; ++sentence) {
    std::vector<double> row(count);
    for (std::size_t i = 0; i < count; ++i) {
      row[i] = static_cast<double>(scores.data()[index(sentence) * count + i]) +
               static_cast<double>(bias_.data()[i]);
    }
    const double largest = *std::ranges::max_element(row);
    double sum = 0;
    for (const double score : row) sum += std::exp(score - largest);
    for (const double score : row) all.push_back(static_cast<float>(score - largest - std::log(sum)));
  }
  return all;
}

}  // namespace gloss
