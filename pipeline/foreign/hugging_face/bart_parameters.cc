// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/bart_parameters.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {
namespace {

void fill_marian_positions(std::span<float> table, int width) {
  const int half = (width + 1) / 2;  // sines
  for (std::size_t at = 0; at < table.size(); ++at) {
    const auto place = static_cast<double>(at / index(width));
    const int column = static_cast<int>(at % index(width));
    const int pair = column < half ? column : column - half;
    const double angle = place / std::pow(10000.0, 2.0 * pair / width);
    table[at] = static_cast<float>(column < half ? std::sin(angle) : std::cos(angle));
  }
}

/// A last column of an odd width is 0.
void fill_sines_from_two(std::span<float> table, int width) {
  const int half = width / 2;
  const float step = static_cast<float>(std::log(10000.0) / std::max(1, half - 1));
  for (std::size_t at = 0; at < table.size(); ++at) {
    const auto place = static_cast<float>(at / index(width) + kSparePositions);
    const int column = static_cast<int>(at % index(width));
    // In float32, as there: at high positions the angles are rounded visibly.
    const float angle = place * std::exp(static_cast<float>(column % half) * -step);
    table[at] = column >= 2 * half ? 0 : column < half ? std::sin(angle) : std::cos(angle);
  }
}

void take_positions(ParameterMap& map, const std::string& side, int width, BartPositions positions) {
  const std::string own = side + ".positions", foreign = concat("model.", side, ".embed_positions.weight");
  if (positions == BartPositions::learned || positions == BartPositions::stored) {
    const int spare = positions == BartPositions::learned ? kSparePositions : 0;
    map.take(own, ParameterParts{.arrays = {foreign}, .spare_rows = spare});
    return;
  }
  map.compute(own, [width, positions](std::span<float> table) {
    positions == BartPositions::marian ? fill_marian_positions(table, width)
                                       : fill_sines_from_two(table, width);
  });
  map.ignore(foreign);
  map.ignore(concat("model.", side, ".embed_positions.weights"));
}

void take_attention(ParameterMap& map, const std::string& own, const std::string& foreign, bool cross) {
  const auto part = [&](const std::string& name) { return concat(foreign, ".", name, "_proj"); };
  if (cross) {
    map.take_linear(own + ".query", {part("q")});
    map.take_linear(own + ".key_value", {part("k"), part("v")});
  } else {
    map.take_linear(own + ".query_key_value", {part("q"), part("k"), part("v")});
  }
  map.take_linear(own + ".output", {part("out")});
  map.take_linear(own + ".norm", {foreign + "_layer_norm"});
}

void take_embeddings(ParameterMap& map, TiedEmbeddings tied) {
  const std::string shared = "model.shared.weight", source = "model.encoder.embed_tokens.weight",
                    target = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
  switch (tied) {
    case TiedEmbeddings::all:
      map.take("embedding.weight", {shared});
      map.copies(shared, {source, target, output});
      return;
    case TiedEmbeddings::target:
      map.take("source_embedding.weight", {source});
      map.take("target_embedding.weight", {target});
      map.copies(target, {output});
      return;
    case TiedEmbeddings::inputs:
      map.take("embedding.weight", {shared});
      map.take("output.weight", {output});
      map.copies(shared, {source, target});
      return;
    case TiedEmbeddings::none:
      map.take("source_embedding.weight", {source});
      map.take("target_embedding.weight", {target});
      map.take("output.weight", {output});
      return;
  }
}

}  // namespace

ParameterMap bart_parameters(const NetworkSettings& network, BartPositions positions) {
  const NetworkSizes& sizes = network.sizes;
  const auto& own_settings = network.own<TransformerSettings>();
  ParameterMap map;
  take_embeddings(map, sizes.tied_embeddings);
  if (sizes.output_bias) map.take("output.bias", {"final_logits_bias"});
  if (!sizes.output_bias) map.ignore("final_logits_bias");
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder" : "encoder", foreign_side = "model." + side;
    if (own_settings.positions == Positions::learned) take_positions(map, side, sizes.width, positions);
    if (own_settings.positions != Positions::learned) map.ignore(foreign_side + ".embed_positions.weight");
    if (own_settings.embedding_norm)
      map.take_linear(side + ".embedding_norm", {foreign_side + ".layernorm_embedding"});
    if (own_settings.norm == NormPlacement::pre)
      map.take_linear(side + ".norm", {foreign_side + ".layer_norm"});
    for (int layer = 0; layer < (decoder ? sizes.decoder_layers : sizes.encoder_layers); ++layer) {
      const std::string own = concat(side, ".", layer), foreign = concat(foreign_side, ".layers.", layer);
      take_attention(map, own + ".self_attention", foreign + ".self_attn", false);
      if (decoder) take_attention(map, own + ".cross_attention", foreign + ".encoder_attn", true);
      map.take_linear(own + ".feed_forward.inner", {foreign + ".fc1"});
      map.take_linear(own + ".feed_forward.outer", {foreign + ".fc2"});
      map.take_linear(own + ".feed_forward.norm", {foreign + ".final_layer_norm"});
    }
  }
  return map;
}

}  // namespace gloss
