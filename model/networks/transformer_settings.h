// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "model/kernels/activation.h"
#include "model/layers/attention.h"
#include "model/layers/norm.h"
#include "model/networks/network_sizes.h"

namespace gloss {

enum class NormPlacement { pre, post };
/// Position encoding: none; embeddings added to those of tokens; a learned bias for each distance and head
/// (Raffel et al. 2020); rotated queries and keys (Su et al. 2021); scores that decrease with the distance
/// (Press et al. 2022).
enum class Positions { none, sinusoidal, learned, relative, rotary, alibi };

/// Settings of transformers (Vaswani et al. 2017), besides the sizes of all networks.
struct TransformerSettings {
  int feed_forward_width = 2048;
  NormPlacement norm = NormPlacement::post;
  NormType norm_type = NormType::layer;
  double norm_epsilon = 1e-5;
  Activation activation = Activation::relu;
  bool gated_feed_forward =
      false;                ///< multiply feed-forward layers by a gate, to which the activation applies
  bool linear_bias = true;  ///< biases in the linear layers of attention and feed-forward
  int token_types = 0;  ///< rows of a table whose first row is added to every embedding of the encoder
  bool embedding_norm = false;  ///< after the sum of embeddings and positions
  Positions positions = Positions::sinusoidal;
  int relative_reach = 16;          ///< of relative positions: larger distances share one bias
  double attention_dropout = 0.0;   ///< of attention weights
  double activation_dropout = 0.0;  ///< after the activation of feed-forward layers

  NormKind norms() const { return {norm_type, norm_epsilon}; }
};
Fields fields_of(TransformerSettings&);

AttentionSizes attention_sizes(const NetworkSizes&, const TransformerSettings&);

}  // namespace gloss
