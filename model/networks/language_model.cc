// SPDX-License-Identifier: Apache-2.0

#include "model/networks/language_model.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Input tokens with their training targets.
struct LanguageModel::Taught {
  PackedRows input;
  std::vector<TokenId> targets;    // token after each input token; -1: no target
  std::vector<float> weights;      // of the targets; empty: 1
  std::vector<std::size_t> asked;  // indices of the targets, in the order of the batch's target tokens
};

LanguageModel::Taught LanguageModel::teach(const Batch& batch) const {
  expects(batch.source.rows() == batch.target.rows(), "a batch with ", batch.source.rows(),
          " source rows and ", batch.target.rows(), " target rows");
  const std::vector<float> weights = token_weights(batch, batch.target.tokens.size());
  TokenRows inputs;
  std::vector<TokenId> targets;
  std::vector<float> target_weights;
  std::vector<std::size_t> asked;
  for (int row = 0; row < batch.target.rows(); ++row) {
    const auto before = batch.source.row(row), target = batch.target.row(row);
    std::vector<TokenId> input(before.begin(), before.end());
    if (input.empty()) input.push_back(vocabulary_.begin);
    targets.insert(targets.end(), input.size() - 1, -1);
    if (!target.empty()) input.insert(input.end(), target.begin(), target.end() - 1);
    if (target.empty()) targets.push_back(-1);
    if (!weights.empty()) target_weights.resize(targets.size(), 0);
    for (std::size_t i = 0; i < target.size(); ++i) {
      asked.push_back(targets.size());
      targets.push_back(target[i]);
      if (!weights.empty()) target_weights.push_back(weights[asked.size() - 1]);
    }
    inputs.add(input);
  }
  PackedRows packed(inputs, kTrainingRows);
  targets.resize(packed.tokens.size(), -1);
  if (!weights.empty()) target_weights.resize(targets.size(), 0);
  return {std::move(packed), std::move(targets), std::move(target_weights), std::move(asked)};
}

Loss LanguageModel::loss(const Batch& batch, const Regularization* regularization) const {
  const Taught taught = teach(batch);
  const Tensor states = hidden(taught.input, regularization != nullptr ? &regularization->random : nullptr);
  return loss_of(states, taught.targets, taught.weights, batch, regularization);
}

std::vector<float> LanguageModel::log_probabilities(const Batch& batch) const {
  const Taught taught = teach(batch);
  const std::vector<float> all =
      target_log_probabilities(hidden(taught.input, nullptr), output_, taught.targets);
  std::vector<float> asked;
  for (const std::size_t place : taught.asked) asked.push_back(all[place]);
  return asked;
}

LanguageModel::Prompts LanguageModel::prompts_of(const TokenRows& source) const {
  Prompts prompts;
  for (int row = 0; row < source.rows(); ++row) {
    const auto tokens = source.row(row);
    prompts.read.add(tokens.first(tokens.empty() ? 0 : tokens.size() - 1));
    prompts.last.push_back(tokens.empty() ? vocabulary_.begin : tokens.back());
  }
  return prompts;
}

void LanguageModel::refuse(const SourceAttention* attention) {
  if (attention == nullptr) return;
  throw UsageError("a language model has no attention to a source: it cannot align or show attention");
}

}  // namespace gloss
