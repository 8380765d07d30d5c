#include "model/networks/transformer_classifier.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/rounding.h"
#include "model/networks/embedding_tables.h"
#include "model/tensor/ops_pool.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

TransformerClassifier::TransformerClassifier(const TransformerSettings& settings,
                                             const ClassifierSettings& classes,
                                             const VocabularySettings& vocabulary, Parameters& parameters)
    : settings_(settings), settings_of_classes_(classes), vocabulary_(vocabulary) {
  stack_.emplace(parameters, settings, declare_table(parameters, settings, settings.width, vocabulary));
  weight_ = parameters.declare("classifier.weight", {classes.classes, settings.width},
                               xavier_uniform(settings.width, classes.classes), Role::matrix);
  bias_ = parameters.declare("classifier.bias", {classes.classes}, constant_values(0));
}

Tensor TransformerClassifier::pooled(const Tensor& hidden, const PackedRows& rows, int multiple) const {
  const int count = round_up(std::max(rows.sentences(), 1), multiple);
  switch (settings_of_classes_.pooling) {
    case Pooling::mean:
      return mean_of_rows(hidden, rows.starts, count);
    case Pooling::max:
      return max_of_rows(hidden, rows.starts, count);
    case Pooling::first:
    case Pooling::last:
      break;
  }
  std::vector<int> places(static_cast<std::size_t>(count), -1);
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const bool first = settings_of_classes_.pooling == Pooling::first;
    if (rows.length(sentence) == 0) continue;
    places[static_cast<std::size_t>(sentence)] = first ? rows.start(sentence) : rows.start(sentence + 1) - 1;
  }
  return take_rows(hidden, std::move(places));
}

Loss TransformerClassifier::loss(const Batch& batch, const Regularization* regularization) const {
  const int sentences = batch.source.rows();
  expects(static_cast<int>(batch.target.tokens.size()) == sentences, sentences, " rows with ",
          batch.target.tokens.size(), " classes");
  Random* const random = regularization != nullptr ? &regularization->random : nullptr;
  const TransformerDropout dropout_of(settings_, random);
  const PackedRows rows(batch.source, kTrainingRows);
  const Tensor states = pooled((*stack_)(rows, dropout_of), rows, kTrainingRows);
  std::vector<int> numbers(static_cast<std::size_t>(states.rows()));
  std::iota(numbers.begin(), numbers.end(), 0);
  std::vector<TokenId> targets = batch.target.tokens;
  targets.resize(numbers.size(), -1);
  const CrossEntropy made = softmax_cross_entropy(
      dropout(states, dropout_of.residual(), numbers), weight_, bias_, targets,
      token_weights(batch, numbers.size()), regularization != nullptr ? regularization->label_smoothing : 0);
  return {made.sum, made.cross_entropy, sentences, weight_of(batch)};
}

Tensor TransformerClassifier::states(const TokenRows& rows) const {
  return (*stack_)(PackedRows(rows, kDecodingRows), TransformerDropout(settings_, nullptr));
}

std::vector<float> TransformerClassifier::log_probabilities(const Batch& batch) const {
  const std::vector<float> all = classify(batch.source);
  std::vector<float> asked;
  for (std::size_t row = 0; row < batch.target.tokens.size(); ++row) {
    const auto target = static_cast<std::size_t>(batch.target.tokens[row]);
    asked.push_back(all[row * static_cast<std::size_t>(classes()) + target]);
  }
  return asked;
}

std::vector<float> TransformerClassifier::classify(const TokenRows& source,
                                                   std::vector<float>* attention) const {
  const PackedRows rows(source, kDecodingRows);
  std::vector<Tensor> projected(stack_->blocks().size());
  const Tensor hidden = (*stack_)(rows, TransformerDropout(settings_, nullptr), &projected);
  const Tensor scores = vocabulary_scores(pooled(hidden, rows, kDecodingRows), weight_);
  const auto count = static_cast<std::size_t>(classes());
  std::vector<float> all;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    std::vector<double> row(count);
    for (std::size_t i = 0; i < count; ++i) {
      row[i] = static_cast<double>(scores.data()[static_cast<std::size_t>(sentence) * count + i]) +
               static_cast<double>(bias_.data()[i]);
    }
    const double largest = *std::ranges::max_element(row);
    double sum = 0;
    for (const double score : row) sum += std::exp(score - largest);
    for (const double score : row) all.push_back(static_cast<float>(score - largest - std::log(sum)));
  }
  if (attention != nullptr) *attention = attention_of(projected.back(), rows);
  return all;
}

std::vector<float> TransformerClassifier::attention_of(const Tensor& projected,
                                                       const PackedRows& rows) const {
  const Pooling pooling = settings_of_classes_.pooling;
  const bool causal = settings_.encoder_layers == 0;
  const auto to_keys = static_cast<std::size_t>(settings_.width) * size_of(projected.dtype());
  std::vector<int> queries;
  KeyRows seen;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const int begin = rows.start(sentence), end = rows.start(sentence + 1);
    for (int query = begin; query < end; ++query) {
      if ((pooling == Pooling::first && query > begin) || (pooling == Pooling::last && query + 1 < end))
        continue;
      queries.push_back(query);
      for (int key = begin; key < (causal ? query + 1 : end); ++key) {
        seen.keys.push_back(static_cast<const char*>(projected.raw_row(key)) + to_keys);
      }
      seen.end_row();
    }
  }
  const std::vector<std::vector<float>> heads =
      attention_weights(take_rows(projected, queries), seen, settings_.width, settings_.heads);
  std::vector<float> got(static_cast<std::size_t>(rows.start(rows.sentences())), 0.0f);
  std::size_t query = 0, weight = 0;
  for (int sentence = 0; sentence < rows.sentences(); ++sentence) {
    const bool of_all = pooling == Pooling::mean || pooling == Pooling::max;
    const int begin = rows.start(sentence),
              count = of_all ? rows.length(sentence) : std::min(rows.length(sentence), 1);
    for (int i = 0; i < count; ++i, ++query) {
      const int keys = seen.starts[query + 1] - seen.starts[query];
      for (int key = 0; key < keys; ++key, ++weight) {
        for (const std::vector<float>& head : heads) {
          got[static_cast<std::size_t>(begin + key)] +=
              head[weight] / static_cast<float>(count * settings_.heads);
        }
      }
    }
  }
  return got;
}

}  // namespace gloss
