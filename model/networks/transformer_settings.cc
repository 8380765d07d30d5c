// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer_settings.h"

namespace gloss {

Fields fields_of(TransformerSettings& s) {
  constexpr double kWidest = 1 << 18, kMostPositions = 1 << 20;
  const Range rate{0, 0.99};
  Fields fields{
      {"feed_forward_width", &s.feed_forward_width, "inner width of feed-forward layers", {2, kWidest}},
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
      {"token_types",
       &s.token_types,
       "number of token types of an encoder, as in BERT; every token has the first type",
       {0, 1024}},
      {"embedding_norm", &s.embedding_norm, "normalise the sum of embeddings and positions on both sides"},
      {"positions", choice(s.positions, {"none", "sinusoidal", "learned", "relative", "rotary", "alibi"}),
       "position encoding: embeddings (sinusoidal, learned), or within self-attention (relative, rotary, "
       "alibi)"},
      {"relative_reach",
       &s.relative_reach,
       "largest distance that relative positions distinguish",
       {1, kMostPositions}},
      {"attention_dropout", &s.attention_dropout, "dropout rate of attention weights", rate},
      {"activation_dropout", &s.activation_dropout, "dropout rate inside feed-forward layers", rate},
  };
  add_traits(fields, kFromPreset, s.feed_forward_width);
  add_traits(fields, kTrainingOnly, s.attention_dropout, s.activation_dropout);
  add_traits(fields, kOptional, s.norm_type, s.norm_epsilon, s.gated_feed_forward, s.linear_bias,
             s.token_types, s.embedding_norm, s.relative_reach);
  return fields;
}

AttentionSizes attention_sizes(const NetworkSizes& sizes, const TransformerSettings& settings) {
  return {.width = sizes.width, .heads = sizes.heads, .linear_bias = settings.linear_bias};
}

}  // namespace gloss
