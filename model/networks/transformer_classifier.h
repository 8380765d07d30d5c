// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/networks/classifier_network.h"
#include "model/networks/transformer_stack.h"

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
  std::vector<float> attention_of(const Tensor& projected, const PackedRows&) const;
  /// The mixer of the encoder's last layer.
  const MixerKind& last_mixer() const;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  std::optional<TransformerStack> stack_;
};

}  // namespace gloss
