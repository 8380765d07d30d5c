#pragma once

#include <optional>

#include "model/networks/classifier_network.h"
#include "model/networks/recurrent_parts.h"

namespace gloss {

/// A recurrent encoder that tells which class a row belongs to.
class RecurrentClassifier : public ClassifierNetwork {
 public:
  RecurrentClassifier(const NetworkSizes&, const RecurrentSettings&, const ClassifierSettings&,
                      const VocabularySettings&, Parameters&);
  bool attends() const override { return false; }

 private:
  Read read(const PackedRows&, Random*, std::vector<float>* attention) const override;

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor table_;
  std::optional<RecurrentEncoder> encoder_;
};

}  // namespace gloss
