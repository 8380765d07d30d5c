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
/// (Shaw et al. 2018, Raffel et al. 2020); rotated queries and keys (Su et al. 2021); scores that decrease
/// with the distance (Press et al. 2022); a learned bias for each bucket of distances, which are the wider
/// the larger the distances (T5, Raffel et al. 2020).
enum class Positions { none, sinusoidal, learned, relative, rotary, alibi, buckets };
/// Division of attention scores: by the square root of the head width (Vaswani et al. 2017), or none (T5).
enum class AttentionScale { sqrt, none };

/// Settings of transformers (Vaswani et al. 2017), besides the sizes of all networks.
struct TransformerSettings {
  int feed_forward_width = 2048;
  int decoder_feed_forward_width = 0;  ///< of an encoder-decoder's decoder; 0: feed_forward_width
  int decoder_heads = 0;               ///< of an encoder-decoder's decoder; 0: as the encoder
  int head_width = 0;                  ///< 0: width / heads
  int key_value_heads = 0;             ///< heads of keys and values, a divisor of the heads; 0: all
  AttentionScale attention_scale = AttentionScale::sqrt;
  NormPlacement norm = NormPlacement::post;
  NormType norm_type = NormType::layer;
  double norm_epsilon = 1e-5;
  Activation activation = Activation::relu;
  bool gated_feed_forward =
      false;                ///< multiply feed-forward layers by a gate, to which the activation applies
  bool linear_bias = true;  ///< biases in the linear layers of attention and feed-forward
  Activation readout_activation = Activation::gelu;  ///< of the readout of masked models
  int token_types = 0;  ///< rows of a table that is added to the embeddings of the encoder: one for each text
  bool embedding_norm = false;  ///< after the sum of embeddings and positions
  Positions positions = Positions::sinusoidal;
  int relative_reach = 0;           ///< larger distances share one bias; 0: see `reach`
  int relative_buckets = 32;        ///< of distances up to the reach
  double attention_dropout = 0.0;   ///< of attention weights
  double activation_dropout = 0.0;  ///< after the activation of feed-forward layers

  NormKind norms() const { return {norm_type, norm_epsilon}; }
  /// The largest distance that relative positions and buckets distinguish: 128 by default for buckets, as in
  /// T5, otherwise 16.
  int reach() const;
};
Fields fields_of(TransformerSettings&);

/// The attention layers of a side with these settings.
AttentionSizes attention_sizes(const NetworkSizes&, const TransformerSettings&);

/// The settings of one side of an encoder-decoder.
struct TransformerSide {
  NetworkSizes sizes;
  TransformerSettings settings;
};
/// Those of the decoder: the sizes of its own, if it has some, replace those of the encoder.
TransformerSide decoder_side(const NetworkSizes&, const TransformerSettings&);

}  // namespace gloss
