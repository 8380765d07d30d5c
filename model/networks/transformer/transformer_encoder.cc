// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/transformer_encoder.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/step_rows.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

TransformerEncoder::TransformerEncoder(const NetworkSizes& sizes, const TransformerSettings& settings,
                                       const VocabularySettings& vocabulary, Parameters& parameters)
    : sizes_(sizes), settings_(settings), vocabulary_(vocabulary) {
  const EmbeddingTables tables = declare_embeddings(parameters, sizes, sizes.width, vocabulary);
  output_ = tables.output;
  stack_ = only_stack(parameters, sizes, settings, tables.source, vocabulary.end);
  readout_.emplace(parameters, "readout", sizes.width, sizes.width, xavier_uniform(sizes.width, sizes.width));
  readout_norm_.emplace(parameters, "readout.norm", sizes.width, settings.norms());
}

TransformerEncoder::Asked TransformerEncoder::asked_in(const Batch& batch) {
  Asked asked;
  for (int row = 0; row < batch.target.rows(); ++row) {
    expects(batch.source.length(row) == batch.target.length(row), "row ", row, " has ",
            batch.source.length(row), " tokens and ", batch.target.length(row), " targets");
    const float weight = batch.weights.empty() ? 1.0f : batch.weights[index(row)];
    const int start = batch.target.starts[index(row)];
    for (int i = 0; i < batch.target.length(row); ++i) {
      const TokenId target = batch.target.row(row)[index(i)];
      if (target < 0) continue;
      asked.places.push_back(start + i);
      asked.targets.push_back(target);
      if (!batch.weights.empty()) asked.weights.push_back(weight);
      asked.weight += static_cast<double>(weight);
    }
  }
  asked.tokens = static_cast<int>(asked.targets.size());
  const auto padded = index(round_up(std::max(asked.tokens, 1), kTrainingRows));
  asked.places.resize(padded, -1);
  asked.targets.resize(padded, -1);
  if (!batch.weights.empty()) asked.weights.resize(padded, 0);
  return asked;
}

Tensor TransformerEncoder::readout(const Tensor& hidden, const std::vector<int>& places) const {
  return (*readout_norm_)(activate((*readout_)(take_rows(hidden, places)), settings_.readout_activation, {}));
}

Loss TransformerEncoder::loss(const Batch& batch, const Regularization* regularization) const {
  const TransformerDropout dropout(sizes_, settings_,
                                   regularization != nullptr ? &regularization->random : nullptr);
  const Asked asked = asked_in(batch);
  const Tensor hidden = stack_(PackedRows(batch.source, kTrainingRows), dropout);
  const CrossEntropy made =
      softmax_cross_entropy(readout(hidden, asked.places), output_, asked.targets, asked.weights,
                            {regularization != nullptr ? regularization->terms.label_smoothing : 0});
  return {made.sum, made.cross_entropy, asked.tokens, asked.weight};
}

Tensor TransformerEncoder::states(const TokenRows& rows) const {
  return stack_(PackedRows(rows, kDecodingRows), TransformerDropout(sizes_, settings_, nullptr));
}

std::vector<float> TransformerEncoder::log_probabilities(const Batch& batch) const {
  const Asked asked = asked_in(batch);
  const Tensor hidden =
      stack_(PackedRows(batch.source, kTrainingRows), TransformerDropout(sizes_, settings_, nullptr));
  const std::vector<float> asked_for =
      target_log_probabilities(readout(hidden, asked.places), output_, asked.targets);
  std::vector<float> all(batch.target.tokens.size(), 0);
  for (int i = 0; i < asked.tokens; ++i) {
    const auto at = index(i);
    all[index(asked.places[at])] = asked_for[at];
  }
  return all;
}

void TransformerEncoder::best_tokens(const TokenRows& rows, std::span<const int> places,
                                     const TopScores::Wanted& wanted, TopScores& best) const {
  const Tensor hidden = states(rows);
  std::vector<int> padded(places.begin(), places.end());
  padded.resize(padded_rows(places.size()), -1);
  top_vocabulary_scores(readout(hidden, padded), output_, static_cast<std::int64_t>(places.size()), wanted,
                        best);
}

}  // namespace gloss
