// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "model/networks/classifier_network.h"
#include "model/networks/recurrent/recurrent_encoder.h"

namespace gloss {

/// A classifier with a recurrent encoder.
class RecurrentClassifier : public ClassifierNetwork {
 public:
  RecurrentClassifier(const NetworkSizes&, const RecurrentSettings&, const ClassifierSettings&,
                      const VocabularySettings&, Parameters&);
  std::string attention_missing() const override { return "recurrent classifiers have no attention"; }

 private:
  Read read(const PackedRows&, Random*, std::vector<float>* attention) const override;

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor table_;
  std::optional<RecurrentEncoder> encoder_;
};

}  // namespace gloss
