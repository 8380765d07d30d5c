#include "model/networks/transformer_settings.h"

namespace gloss {

Fields fields_of(TransformerSettings& s) {
  constexpr double kMostLayers = 1000, kWidest = 1 << 16, kMostPositions = 1 << 20;
  const Range rate{0, 0.99};
  return {
      {"encoder_layers",
       &s.encoder_layers,
       "encoder blocks, or recurrent layers (then 1 if not given)",
       {0, kMostLayers}},
      {"decoder_layers",
       &s.decoder_layers,
       "decoder blocks, or recurrent layers (then 1 if not given)",
       {0, kMostLayers}},
      {"width",
       &s.width,
       "numbers per token in embeddings and between blocks, or of a recurrent cell",
       {2, kWidest}},
      {"feed_forward_width", &s.feed_forward_width, "inner width of feed-forward layers", {2, kWidest * 4}},
      {"heads", &s.heads, "attention heads; divides the width; recurrent: 1 if not given", {1, kWidest}},
      {"norm", choice(s.norm, {"pre", "post"}), "layer normalisation before or after each branch"},
      {"activation", choice(s.activation, {"relu", "gelu"}), "of feed-forward layers"},
      {"positions", choice(s.positions, {"none", "sinusoidal", "learned", "relative", "rotary", "alibi"}),
       "embeddings of positions, or what self-attention knows of distances"},
      {"relative_reach",
       &s.relative_reach,
       "distance from which on relative positions are all the same",
       {1, kMostPositions}},
      {"max_positions", &s.max_positions, "longest sentence in tokens", {2, kMostPositions}},
      {"tied_embeddings", choice(s.tied_embeddings, {"none", "target", "all"}),
       "embedding matrices that are one: none; target input and output; source too"},
      {"dropout", &s.dropout, "on every residual branch, or on what each recurrent layer gives", rate},
      {"attention_dropout", &s.attention_dropout, "on attention weights", rate},
      {"activation_dropout", &s.activation_dropout, "inside feed-forward layers", rate},
      {"embedding_dropout", &s.embedding_dropout, "on embeddings, with their positions", rate},
  };
}

void apply_preset(Preset preset, TransformerSettings& s) {
  const auto sizes = [&](int layers, int width, int feed_forward_width, int heads) {
    s.encoder_layers = s.decoder_layers = layers;
    s.width = width;
    s.feed_forward_width = feed_forward_width;
    s.heads = heads;
  };
  switch (preset) {
    case Preset::tiny:
      sizes(4, 128, 256, 4);
      break;
    case Preset::small:
      sizes(6, 256, 1024, 4);
      break;
    case Preset::base:
      sizes(6, 512, 2048, 8);
      break;
    case Preset::big:
      sizes(6, 1024, 4096, 16);
      break;
  }
}

Choice preset_choice(Preset& preset) { return choice(preset, {"tiny", "small", "base", "big"}); }

}  // namespace gloss
