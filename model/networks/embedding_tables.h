// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/parameters.h"
#include "model/networks/network_settings.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Token embeddings [vocabulary, width] of both sides and the output layer; tied ones share a tensor.
struct EmbeddingTables {
  Tensor source;  ///< empty without an encoder
  Tensor target;  ///< empty without a decoder
  OutputLayer output;
};
/// The only table of a network that has just an encoder or just a decoder and no output vocabulary.
Tensor declare_table(Parameters&, const NetworkSizes&, int width, const VocabularySettings&);
/// Also declares output.bias if the sizes say so.
EmbeddingTables declare_embeddings(Parameters&, const NetworkSizes&, int width, const VocabularySettings&);

}  // namespace gloss
