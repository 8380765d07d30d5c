// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// What encoders of the kind of BERT do differently.
struct BertNames {
  std::string prefix;        ///< of the encoder's arrays, such as "bert."
  int spare_positions = 0;   ///< rows at the start of the position embeddings that no token uses
  std::string readout;       ///< the layer before the output layer of a masked model
  std::string readout_norm;  ///< its normalisation
  std::string output_bias;   ///< of a masked model
  std::string output;        ///< the output layer of a masked model, a copy of the embeddings
  std::string class_inner;   ///< the layer before the output layer of a classifier
  std::string class_output;  ///< the output layer of a classifier
};
const BertNames& bert_names();
/// RoBERTa and XLM-R.
const BertNames& roberta_names();

/// The parameters of a masked model or a classifier. Without `has_readout`, the former has no readout of its
/// own: the values of one that changes nothing are computed.
ParameterMap bert_parameters(const NetworkSettings&, const BertNames&, bool has_readout = true);

}  // namespace gloss
