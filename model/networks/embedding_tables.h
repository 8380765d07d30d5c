#pragma once

#include "model/layers/parameters.h"
#include "model/networks/network.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

/// Token embeddings [vocabulary, width] of both sides and the matrix of the output, some of them one and the
/// same.
struct EmbeddingTables {
  Tensor source;  ///< none without an encoder
  Tensor target;  ///< none without a decoder
  Tensor output;
};
/// The table alone of a network that has an encoder or a decoder alone and tells no tokens.
Tensor declare_table(Parameters&, const NetworkSizes&, int width, const VocabularySettings&);
EmbeddingTables declare_embeddings(Parameters&, const NetworkSizes&, int width, const VocabularySettings&);

}  // namespace gloss
