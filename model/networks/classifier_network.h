// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/layers/linear.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/packed_rows.h"
#include "model/networks/parts/classifier_settings.h"
#include "model/networks/reader.h"
#include "model/tensor/ops.h"

namespace gloss {

/// A network that predicts the class of a row. A target row is a single token, the index of the class.
class ClassifierNetwork : public Reader, public ClassPredictor {
 public:
  const ClassPredictor* class_predictor() const final { return this; }
  Loss loss(const Batch&, const Regularization*) const final;
  std::vector<float> log_probabilities(const Batch&) const final;
  Tensor states(const TokenRows&) const override;
  std::vector<float> classify(const TokenRows&, std::vector<float>* attention = nullptr) const final;
  int classes() const final { return settings_.classes; }
  int vocabulary_size() const final { return vocabulary_.target; }
  TokenId begin() const final { return vocabulary_.begin; }
  TokenId end() const final { return vocabulary_.end; }

 protected:
  /// The states of a network for some rows, and the dropout before the output layer.
  struct Read {
    Tensor states;
    DropoutMask dropout;
  };

  ClassifierNetwork(const ClassifierSettings& settings, const VocabularySettings& vocabulary)
      : settings_(settings), vocabulary_(vocabulary) {}
  /// Declares the output layer for states of this width: classifier.weight and classifier.bias, and
  /// classifier.inner if the settings ask for it.
  void declare_classes(Parameters&, std::int64_t width);
  /// What a network needs to know besides the rows.
  struct Reading {
    int multiple;                             ///< of which the number of rows of the result is one
    Random* random = nullptr;                 ///< samples dropout masks; null: no training
    std::int64_t epoch = 0;                   ///< in training (Batch::epoch)
    std::vector<float>* attention = nullptr;  ///< as in classify
  };
  /// One state for each row, followed by padding: those of `read`, pooled.
  virtual Read summaries(const PackedRows&, const Reading&) const;
  /// The states of all tokens. `random`, if not null, samples dropout masks; `attention` as in classify.
  virtual Read read(const PackedRows&, Random* random, std::vector<float>* attention) const = 0;
  Pooling pooling() const { return settings_.pooling; }
  /// log p of every class for each of the first `sentences` rows of summaries.
  std::vector<float> class_probabilities(const Tensor& states, int sentences) const;

 private:
  /// One row for each sentence, followed by padding.
  Tensor pooled(const Tensor& states, const PackedRows&, int multiple) const;

  /// The input of the output layer.
  Tensor inner(const Tensor& pooled) const;

  ClassifierSettings settings_;
  VocabularySettings vocabulary_;
  std::optional<Linear> inner_;
  Tensor weight_, bias_;
};

}  // namespace gloss
