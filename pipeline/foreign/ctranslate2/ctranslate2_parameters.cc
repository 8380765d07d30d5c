// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {
namespace {

const std::string kSource = "encoder/embeddings_0/weight", kTarget = "decoder/embeddings/weight",
                  kOutput = "decoder/projection/weight";

/// Adds the parameters of a network with these settings.
class Names {
 public:
  explicit Names(const NetworkSettings& network)
      : network_(network), own_(network.own<TransformerSettings>()) {}

  ParameterMap map() {
    take_embeddings();
    for (const std::string& side : ctranslate2_sides(network_))
      take_side(side, ctranslate2_layers(network_, side));
    for (const auto& [alias, name] : ctranslate2_aliases(network_)) map_.ignore(alias);
    return std::move(map_);
  }

 private:
  void take_embeddings() {
    const TiedEmbeddings tied = network_.sizes.tied_embeddings;
    const bool encodes = network_.sizes.encoder_layers > 0;
    if (shares_sides(tied)) {
      map_.take("embedding.weight", {kTarget});
    } else {
      if (encodes) map_.take("source_embedding.weight", {kSource});
      map_.take("target_embedding.weight", {kTarget});
    }
    if (tied == TiedEmbeddings::none || tied == TiedEmbeddings::inputs) map_.take("output.weight", {kOutput});
    if (network_.sizes.output_bias) map_.take("output.bias", {"decoder/projection/bias"});
  }

  void take_side(const std::string& side, int layers) {
    if (own_.embedding_norm) take_norm(side + ".embedding_norm", side + "/layernorm_embedding");
    if (own_.norm == NormPlacement::pre) take_norm(side + ".norm", side + "/layer_norm");
    if (own_.positions == Positions::buckets)
      map_.take(side + ".distances", {.arrays = {ctranslate2_distances(side, 0)}, .transposed = true});
    for (int layer = 0; layer < layers; ++layer)
      take_layer(concat(side, ".", layer), concat(side, "/layer_", layer));
  }

  void take_layer(const std::string& own, const std::string& foreign) {
    const std::string self = foreign + "/self_attention", cross = foreign + "/attention",
                      ffn = foreign + "/ffn";
    take_linear(own + ".self_attention.query_key_value", {self + "/linear_0"});
    take_linear(own + ".self_attention.output", {self + "/linear_1"});
    take_norm(own + ".self_attention.norm", self + "/layer_norm");
    if (own.starts_with("decoder") && network_.sizes.encoder_layers > 0) {
      take_linear(own + ".cross_attention.query", {cross + "/linear_0"});
      take_linear(own + ".cross_attention.key_value", {cross + "/linear_1"});
      take_linear(own + ".cross_attention.output", {cross + "/linear_2"});
      take_norm(own + ".cross_attention.norm", cross + "/layer_norm");
    }
    std::vector<std::string> inner{ffn + "/linear_0"};
    if (own_.gated_feed_forward) inner.push_back(ffn + "/linear_0_noact");
    take_linear(own + ".feed_forward.inner", inner);
    take_linear(own + ".feed_forward.outer", {ffn + "/linear_1"});
    take_norm(own + ".feed_forward.norm", ffn + "/layer_norm");
  }

  void take_linear(const std::string& own, const std::vector<std::string>& foreign) {
    for (const std::string part : {"weight", "bias"}) {
      if (part == "bias" && !own_.linear_bias) continue;
      std::vector<std::string> names;
      for (const std::string& name : foreign) names.push_back(concat(name, "/", part));
      map_.take(concat(own, ".", part), std::move(names));
    }
  }
  void take_norm(const std::string& own, const std::string& foreign) {
    map_.take(own + ".weight", {foreign + "/gamma"});
    if (own_.norm_type == NormType::layer) map_.take(own + ".bias", {foreign + "/beta"});
  }

  const NetworkSettings& network_;
  const TransformerSettings& own_;
  ParameterMap map_;
};

}  // namespace

std::vector<std::string> ctranslate2_sides(const NetworkSettings& network) {
  if (network.sizes.encoder_layers == 0) return {"decoder"};
  return {"encoder", "decoder"};
}

int ctranslate2_layers(const NetworkSettings& network, const std::string& side) {
  return side == "decoder" ? network.sizes.decoder_layers : network.sizes.encoder_layers;
}

std::vector<CTranslate2Attention> ctranslate2_attention(const NetworkSettings& network) {
  std::vector<CTranslate2Attention> all;
  for (const std::string& side : ctranslate2_sides(network)) {
    for (int layer = 0; layer < ctranslate2_layers(network, side); ++layer) {
      const std::string self = concat(side, "/layer_", layer, "/self_attention"),
                        memory = concat(side, "/layer_", layer, "/attention");
      all.push_back({side, self, self + "/linear_1", false});
      if (side == "decoder" && network.sizes.encoder_layers > 0)
        all.push_back({side, memory, memory + "/linear_2", true});
    }
  }
  return all;
}

ParameterMap ctranslate2_parameters(const NetworkSettings& network) { return Names(network).map(); }

std::map<std::string, std::string> ctranslate2_aliases(const NetworkSettings& network) {
  const TiedEmbeddings tied = network.sizes.tied_embeddings;
  std::map<std::string, std::string> aliases;
  if (tied == TiedEmbeddings::all || tied == TiedEmbeddings::target) aliases[kOutput] = kTarget;
  if (shares_sides(tied) && network.sizes.encoder_layers > 0) aliases[kSource] = kTarget;
  if (network.own<TransformerSettings>().positions == Positions::buckets) {
    for (const std::string& side : ctranslate2_sides(network)) {
      for (int layer = 1; layer < ctranslate2_layers(network, side); ++layer)
        aliases[ctranslate2_distances(side, layer)] = ctranslate2_distances(side, 0);
    }
  }
  return aliases;
}

std::string ctranslate2_positions(const std::string& side) { return side + "/position_encodings/encodings"; }

std::string ctranslate2_distances(const std::string& side, int layer) {
  return concat(side, "/layer_", layer, "/self_attention/relative_attention_bias");
}

}  // namespace gloss
