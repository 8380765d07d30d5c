// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer_settings.h"

namespace gloss {

Fields fields_of(TransformerSettings& s) {
  constexpr double kWidest = 1 << 18, kMostPositions = 1 << 20, kMostHeads = 1 << 16;
  const Range rate{0, 0.99};
  Fields fields{
      {"feed_forward_width", &s.feed_forward_width, "inner width of feed-forward layers", {2, kWidest}},
      {"decoder_feed_forward_width",
       &s.decoder_feed_forward_width,
       "inner width of feed-forward layers of the decoder (0: as the encoder)",
       {0, kWidest}},
      {"decoder_heads",
       &s.decoder_heads,
       "number of attention heads of the decoder (0: as the encoder)",
       {0, kMostHeads}},
      {"head_width",
       &s.head_width,
       "width of each attention head (0: the width divided by the number of heads)",
       {0, kMostHeads}},
      {"key_value_heads",
       &s.key_value_heads,
       "number of attention heads of keys and values, a divisor of the number of heads: 1 is multi-query "
       "attention, more is grouped-query attention (0: as many as heads)",
       {0, kMostHeads}},
      {"attention_scale", choice(s.attention_scale, {"sqrt", "none"}),
       "divide attention scores by the square root of the head width (sqrt), or not (none)"},
      {"norm", choice(s.norm, {"pre", "post"}), "position of normalisation: before or after each branch"},
      {"norm_type", choice(s.norm_type, {"layer", "rms"}),
       "normalisation of mean and variance (layer), or of the root mean square, without bias (rms)"},
      {"norm_epsilon",
       &s.norm_epsilon,
       "number added to the variance or mean square before the division",
       {1e-12, 1}},
      {"activation", choice(s.activation, {"relu", "gelu", "gelu-exact", "swish", "sigmoid"}),
       "activation function of feed-forward layers; gelu is the tanh approximation"},
      {"gated_feed_forward", &s.gated_feed_forward,
       "multiply the inner part of feed-forward layers by a gate with the activation: GLU (sigmoid), GEGLU "
       "(gelu), SwiGLU (swish)"},
      {"linear_bias", &s.linear_bias, "use biases in the linear layers of attention and feed-forward layers"},
      {"readout_activation", choice(s.readout_activation, {"relu", "gelu", "gelu-exact", "swish", "sigmoid"}),
       "activation function between the encoder and the output layer of a masked model"},
      {"token_types",
       &s.token_types,
       "number of token types of an encoder, as in BERT; tokens after the first end token have the second",
       {0, 1024}},
      {"embedding_norm", &s.embedding_norm, "normalise the sum of embeddings and positions on both sides"},
      {"positions",
       choice(s.positions, {"none", "sinusoidal", "learned", "relative", "rotary", "alibi", "buckets"}),
       "position encoding: embeddings (sinusoidal, learned), or within self-attention (relative, rotary, "
       "alibi, and buckets of distances as in T5)"},
      {"relative_reach",
       &s.relative_reach,
       "largest distance that relative positions and buckets distinguish (0: 16, with buckets 128)",
       {0, kMostPositions}},
      {"relative_buckets",
       &s.relative_buckets,
       "number of buckets of distances: half of them hold one distance each, the others growing ranges",
       {4, 1024}},
      {"attention_dropout", &s.attention_dropout, "dropout rate of attention weights", rate},
      {"activation_dropout", &s.activation_dropout, "dropout rate inside feed-forward layers", rate},
  };
  add_traits(fields, kFromPreset, s.feed_forward_width);
  add_traits(fields, kTrainingOnly, s.attention_dropout, s.activation_dropout);
  add_traits(fields, kTwoSided, s.decoder_feed_forward_width, s.decoder_heads);
  add_traits(fields, kOptional, s.decoder_feed_forward_width, s.decoder_heads, s.head_width,
             s.key_value_heads, s.attention_scale, s.norm_type, s.norm_epsilon, s.gated_feed_forward,
             s.linear_bias, s.readout_activation, s.token_types, s.embedding_norm, s.relative_reach,
             s.relative_buckets);
  return fields;
}

int TransformerSettings::reach() const {
  if (relative_reach > 0) return relative_reach;
  return positions == Positions::buckets ? 128 : 16;
}

AttentionSizes attention_sizes(const NetworkSizes& sizes, const TransformerSettings& settings) {
  const int head_width = settings.head_width > 0 ? settings.head_width : sizes.width / sizes.heads;
  AttentionHeads heads = AttentionHeads::of_width(std::int64_t{sizes.heads} * head_width, sizes.heads);
  if (settings.key_value_heads > 0) heads.key_value_heads = settings.key_value_heads;
  if (settings.attention_scale == AttentionScale::none) heads.scale = 1;
  return {.width = sizes.width, .heads = heads, .linear_bias = settings.linear_bias};
}

TransformerSide decoder_side(const NetworkSizes& sizes, const TransformerSettings& settings) {
  TransformerSide side{sizes, settings};
  if (settings.decoder_heads > 0) side.sizes.heads = settings.decoder_heads;
  if (settings.decoder_feed_forward_width > 0)
    side.settings.feed_forward_width = settings.decoder_feed_forward_width;
  return side;
}

}  // namespace gloss
