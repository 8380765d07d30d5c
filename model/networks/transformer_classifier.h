#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/networks/classifier_settings.h"
#include "model/networks/reader.h"
#include "model/networks/transformer_stack.h"

namespace gloss {

/// A transformer with an encoder or a decoder alone that tells which class a row belongs to. A target row is
/// one token, the number of the class.
class TransformerClassifier : public Reader {
 public:
  TransformerClassifier(const TransformerSettings&, const ClassifierSettings&, const VocabularySettings&,
                        Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  /// log p of every class, row after row. A row's figures do not depend on the other rows. `attention`, if
  /// not null, becomes how much of the last block's attention each token got, a mean over heads and over the
  /// tokens that are pooled; the sum over a row is 1.
  std::vector<float> classify(const TokenRows&, std::vector<float>* attention = nullptr) const;
  int classes() const { return settings_of_classes_.classes; }
  int vocabulary_size() const override { return vocabulary_.target; }
  TokenId begin() const override { return vocabulary_.begin; }
  TokenId end() const override { return vocabulary_.end; }

 private:
  /// One row for each sentence, with padding behind.
  Tensor pooled(const Tensor& hidden, const PackedRows&, int multiple) const;
  std::vector<float> attention_of(const Tensor& projected, const PackedRows&) const;

  TransformerSettings settings_;
  ClassifierSettings settings_of_classes_;
  VocabularySettings vocabulary_;
  std::optional<TransformerStack> stack_;
  Tensor weight_, bias_;
};

}  // namespace gloss
