// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "model/kernels/activation.h"
#include "model/layers/attention.h"
#include "model/layers/norm.h"
#include "model/networks/mixers/average_mixer.h"
#include "model/networks/mixers/bigbird_mixer.h"
#include "model/networks/mixers/fixed_mixer.h"
#include "model/networks/mixers/kernel_widths.h"
#include "model/networks/mixers/linear_mixer.h"
#include "model/networks/mixers/local_mixer.h"
#include "model/networks/mixers/lsh_mixer.h"
#include "model/networks/mixers/strided_mixer.h"
#include "model/networks/mixers/token_mlp_mixer.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/parts/positions.h"

namespace gloss {

/// Normalisation before each branch, after each sum, or as the steps of the settings say.
enum class NormPlacement { pre, post, steps };
/// Division of attention scores: by the square root of the head width (Vaswani et al. 2017), or none (T5).
enum class AttentionScale { sqrt, none };

/// How the decoder of an encoder-decoder reads its source: attention in each layer (Vaswani et al. 2017), or
/// the encoder's state at its own position, added to the decoder's input, without attention (dynamic
/// unfolding, ByteNet, Kalchbrenner et al. 2016).
enum class SourceLink { attention, unfolding };

/// Settings of transformers (Vaswani et al. 2017), besides the sizes of all networks.
struct TransformerSettings {
  int feed_forward_width = 2048;
  int decoder_feed_forward_width = 0;  ///< of an encoder-decoder's decoder; 0: feed_forward_width
  int decoder_heads = 0;               ///< of an encoder-decoder's decoder; 0: as the encoder
  int head_width = 0;                  ///< 0: width / heads
  int key_value_heads = 0;             ///< heads of keys and values, a divisor of the heads; 0: all
  AttentionScale attention_scale = AttentionScale::sqrt;
  bool query_key_norm = false;  ///< normalises queries and keys, see HeadGains
  NormPlacement norm = NormPlacement::post;
  bool deep_norm = false;  ///< scales the sums of post-norm layers, see layer_scales
  /// With NormPlacement::steps, see NormSteps: before each branch, after it, and after all layers.
  std::string steps_before, steps_after = "dan", steps_top;
  NormType norm_type = NormType::layer;
  double norm_epsilon = 1e-5;
  Activation activation = Activation::relu;
  bool gated_feed_forward =
      false;                   ///< multiply feed-forward layers by a gate, to which the activation applies
  int feed_forward_depth = 2;  ///< linear layers of a feed-forward layer
  bool attention_projection = true;  ///< a linear layer after attention
  /// The number of the weights that each layer uses, from 1: layers with the same number share their weights.
  /// Empty: each layer has its own.
  std::vector<std::string> encoder_layer_weights, decoder_layer_weights;
  /// The mixers of all layers of a side, or of each: names in the table of mixers.
  std::vector<std::string> encoder_mixers{"attention"}, decoder_mixers{"attention"};
  KernelSettings kernels;
  SourceLink source_link = SourceLink::attention;
  LocalSettings local;
  StridedSettings strided;
  LinearAttentionSettings linear;
  int attention_block = 64;  ///< rows of a block of fixed or bigbird attention, or of a chunk of lsh
  FixedSettings fixed;
  BigbirdSettings bigbird;
  LshSettings lsh;
  TokenMlpSettings token_mlp;
  bool linear_bias = true;  ///< biases in the linear layers of attention and feed-forward
  Activation readout_activation = Activation::gelu;  ///< of the readout of masked models
  int token_types = 0;  ///< rows of a table that is added to the embeddings of the encoder: one for each text
  bool embedding_norm = false;  ///< after the sum of embeddings and positions
  Positions positions = Positions::sinusoidal;
  std::optional<Positions> decoder_positions;  ///< of a decoder after an encoder; empty: as the encoder
  int relative_reach = 0;                      ///< larger distances share one bias; 0: see `reach`
  int relative_buckets = 32;                   ///< of distances up to the reach
  AverageSettings average;
  /// During decoding, keys and values of preceding tokens are not normalised, as in Marian's search.
  bool raw_past = false;
  double attention_dropout = 0.0;   ///< of attention weights
  double activation_dropout = 0.0;  ///< after the activation of feed-forward layers

  NormKind norms() const { return {norm_type, norm_epsilon}; }
  /// The largest distance that relative positions and buckets distinguish: 128 by default for buckets, as in
  /// T5, otherwise 16.
  int reach() const;
};
Fields fields_of(TransformerSettings&);

/// The index of the layer whose weights each of `layers` layers uses, never a later one. Throws UsageError,
/// naming `setting`, if the numbers are not those of layers.
std::vector<int> shared_layers(const std::vector<std::string>& numbers, int layers,
                               const std::string& setting = "layer_weights");

/// True if all layers with these mixers have the one of this name.
bool all_have_mixer(const std::vector<std::string>& mixers, std::string_view name);
/// The attention layers of a side with these settings.
AttentionSizes attention_sizes(const NetworkSizes&, const TransformerSettings&);

/// The settings of one side of an encoder-decoder.
struct TransformerSide {
  NetworkSizes sizes;
  TransformerSettings settings;
};
/// Those of the decoder: its own sizes and positions, if it has some, replace those of the encoder.
TransformerSide decoder_side(const NetworkSizes&, const TransformerSettings&);

}  // namespace gloss
