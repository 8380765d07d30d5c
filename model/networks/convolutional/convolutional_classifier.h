// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/layers/linear.h"
#include "model/networks/classifier_network.h"
#include "model/networks/convolutional/convolutional_settings.h"
#include "model/networks/parts/network_sizes.h"

namespace gloss {

/// A classifier whose features are filters over neighbouring token embeddings (Kim 2014): each group of
/// filters reads a window of tokens around every token, with zeros beyond the ends of the text, and ReLU
/// follows. Pooling reduces the features of all windows to one row. Parameters convolution.WIDTH for each
/// filter width.
class ConvolutionalClassifier : public ClassifierNetwork {
 public:
  ConvolutionalClassifier(const NetworkSizes&, const ConvolutionalSettings&, const ClassifierSettings&,
                          const VocabularySettings&, Parameters&);
  std::string attention_missing() const override { return "convolutional classifiers have no attention"; }

 private:
  struct FilterGroup {
    int width;  ///< in tokens
    Linear filters;
  };

  Read read(const PackedRows&, Random*, std::vector<float>*) const override;

  NetworkSizes sizes_;
  Tensor table_;
  std::vector<FilterGroup> groups_;
};

}  // namespace gloss
