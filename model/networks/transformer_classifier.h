#pragma once

#include <optional>
#include <vector>

#include "model/networks/classifier_network.h"
#include "model/networks/transformer_stack.h"

namespace gloss {

/// A transformer with an encoder or a decoder alone that tells which class a row belongs to.
class TransformerClassifier : public ClassifierNetwork {
 public:
  TransformerClassifier(const TransformerSettings&, const ClassifierSettings&, const VocabularySettings&,
                        Parameters&);
  bool attends() const override { return true; }

 private:
  Read read(const PackedRows&, Random*, std::vector<float>* attention) const override;
  std::vector<float> attention_of(const Tensor& projected, const PackedRows&) const;

  TransformerSettings settings_;
  std::optional<TransformerStack> stack_;
};

}  // namespace gloss
