#pragma once

#include "base/fields.h"

namespace gloss {

enum class Activation { relu, gelu };
enum class NormPlacement { pre, post };
/// How self-attention knows the order of tokens: not at all; by embeddings added to those of tokens; by a
/// learned number for each distance and head (Raffel et al. 2020); by turning queries and keys (Su et al.
/// 2021); by scores that fall with the distance (Press et al. 2022).
enum class Positions { none, sinusoidal, learned, relative, rotary, alibi };
/// Which embedding matrices are one: none; the target's input and output; those and the source's.
enum class TiedEmbeddings { none, target, all };
enum class Preset { tiny, small, base, big };

/// What networks of every architecture have.
struct NetworkSizes {
  int encoder_layers = 6;
  int decoder_layers = 6;
  int width = 512;
  int heads = 8;
  int max_positions = 1024;
  TiedEmbeddings tied_embeddings = TiedEmbeddings::all;
  double dropout = 0.1;            ///< on every residual branch, or on what every recurrent layer gives
  double embedding_dropout = 0.1;  ///< on embeddings, with their positions
};

/// Sizes and variants of a transformer (Vaswani et al. 2017); without encoder layers it is a language model.
struct TransformerSettings : NetworkSizes {
  int feed_forward_width = 2048;
  NormPlacement norm = NormPlacement::post;
  Activation activation = Activation::relu;
  Positions positions = Positions::sinusoidal;
  int relative_reach = 16;         ///< with relative positions: those further away count as those so far away
  double attention_dropout = 0.0;  ///< on attention weights
  double activation_dropout = 0.0;  ///< after the activation of feed-forward layers
};
Fields fields_of(TransformerSettings&);

/// Sets the sizes of a preset.
void apply_preset(Preset, TransformerSettings&);
Choice preset_choice(Preset&);

}  // namespace gloss
