#pragma once

#include <vector>

#include "model/networks/classifier_settings.h"
#include "model/networks/embedding_tables.h"
#include "model/networks/packed_rows.h"
#include "model/networks/reader.h"
#include "model/tensor/ops.h"

namespace gloss {

/// A network that tells which class a row belongs to. A target row is one token, the number of the class.
class ClassifierNetwork : public Reader {
 public:
  Loss loss(const Batch&, const Regularization*) const final;
  std::vector<float> log_probabilities(const Batch&) const final;
  Tensor states(const TokenRows&) const final;
  /// log p of every class, row after row. A row's figures do not depend on the other rows. `attention`, if
  /// not null, becomes how much of the last layer's attention each token got, a mean over heads and over the
  /// tokens that are pooled; the sum over a row is 1. Only if the network attends.
  std::vector<float> classify(const TokenRows&, std::vector<float>* attention = nullptr) const;
  virtual bool attends() const = 0;
  int classes() const { return settings_.classes; }
  int vocabulary_size() const final { return vocabulary_.target; }
  TokenId begin() const final { return vocabulary_.begin; }
  TokenId end() const final { return vocabulary_.end; }

 protected:
  /// What a network makes of rows, and the dropout before classes are told.
  struct Read {
    Tensor states;
    DropoutMask dropout;
  };

  ClassifierNetwork(const ClassifierSettings& settings, const VocabularySettings& vocabulary)
      : settings_(settings), vocabulary_(vocabulary) {}
  /// Declares what tells classes from states of this width: classifier.weight and classifier.bias.
  void declare_classes(Parameters&, std::int64_t width);
  /// `random`, if not null, draws dropout; `attention` is as in classify.
  virtual Read read(const PackedRows&, Random* random, std::vector<float>* attention) const = 0;
  Pooling pooling() const { return settings_.pooling; }

 private:
  /// One row for each sentence, with padding behind.
  Tensor pooled(const Tensor& states, const PackedRows&, int multiple) const;

  ClassifierSettings settings_;
  VocabularySettings vocabulary_;
  Tensor weight_, bias_;
};

}  // namespace gloss
