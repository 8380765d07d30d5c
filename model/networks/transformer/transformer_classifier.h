// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/networks/classifier_network.h"
#include "model/networks/transformer/transformer_stack.h"

namespace gloss {

/// A classifier with a transformer encoder or decoder.
class TransformerClassifier : public ClassifierNetwork {
 public:
  TransformerClassifier(const NetworkSizes&, const TransformerSettings&, const ClassifierSettings&,
                        const VocabularySettings&, Parameters&);
  /// A classifier of items of a source that is not text.
  TransformerClassifier(const NetworkSizes&, const TransformerSettings&, const ClassifierSettings&,
                        const SourceParts&, Parameters&);
  std::string attention_missing() const override;

 private:
  Read read(const PackedRows&, Random*, std::vector<float>* attention) const override;
  /// Adds the weights that reach the pooled states, averaged over these and the heads, to those of the
  /// tokens.
  RowWeightVisitor adding_to(std::vector<float>& attention, const PackedRows&) const;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  TransformerStack stack_;
};

}  // namespace gloss
