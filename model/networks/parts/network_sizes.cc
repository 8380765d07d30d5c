// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/network_sizes.h"

#include <vector>

#include "base/error.h"

namespace gloss {
namespace {

const std::vector<std::string> kTiedEmbeddings{"none", "target", "all", "inputs"};

}  // namespace

Fields fields_of(NetworkSizes& s) {
  constexpr double kMostLayers = 1000, kWidest = 1 << 16;
  const Range rate{0, 0.99};
  Fields fields{
      {"encoder_layers",
       &s.encoder_layers,
       "number of encoder layers; recurrent: 1 by default",
       {0, kMostLayers}},
      {"decoder_layers",
       &s.decoder_layers,
       "number of decoder layers; recurrent: 1 by default",
       {0, kMostLayers}},
      {"width", &s.width, "width of embeddings and hidden states (recurrent: of the cells)", {2, kWidest}},
      {"heads",
       &s.heads,
       "number of attention heads, a divisor of the width; recurrent: 1 by default",
       {1, kWidest}},
      {"max_positions", &s.max_positions, "maximum sentence length in tokens", {2, kMostPositions}},
      {"tied_embeddings", choice(s.tied_embeddings, kTiedEmbeddings),
       "share embedding matrices: none, target input and output, all including the source, or only the "
       "inputs of source and target"},
      {"scale_embeddings", &s.scale_embeddings,
       "multiply embeddings by the square root of their width; without it, updates change the layer inputs "
       "less and the learning rate may be larger"},
      {"output_bias", &s.output_bias, "add a bias to the scores of the output layer"},
      {"dropout", &s.dropout, "dropout rate of residual branches (recurrent: of layer outputs)", rate},
      {"embedding_dropout", &s.embedding_dropout, "dropout rate of embeddings, positions included", rate},
  };
  add_traits(fields, kTwoSided, s.encoder_layers, s.decoder_layers);
  add_traits(fields, kFromPreset, s.encoder_layers, s.decoder_layers, s.width, s.heads);
  add_traits(fields, kTrainingOnly, s.dropout, s.embedding_dropout);
  add_traits(fields, kOptional, s.scale_embeddings, s.output_bias);
  return fields;
}

void expect_heads_divide(int width, int heads, const std::string& name) {
  if (width % heads == 0) return;
  throw UsageError(
      concat("width ", width, " is not divisible by ", name, " ", heads, "; choose heads that divide it"));
}

bool shares_sides(TiedEmbeddings tied) {
  return tied == TiedEmbeddings::all || tied == TiedEmbeddings::inputs;
}

Choice activation_choice(Activation& activation) {
  return choice(activation, {"relu", "gelu", "gelu-exact", "swish", "sigmoid"});
}

std::string name_of(TiedEmbeddings tied) { return kTiedEmbeddings[static_cast<std::size_t>(tied)]; }

Choice preset_choice(Preset& preset) {
  return choice(preset, {"tiny", "small", "base", "big", "student", "student-tiny"});
}

}  // namespace gloss
