// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/t5_parameters.h"

#include <cmath>

#include "base/error.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {
namespace {

/// An attention with its norm. `foreign`: its layer; `what`: its name there.
void take_attention(ParameterMap& map, const std::string& own, const std::string& foreign,
                    const std::string& what) {
  const auto part = [&](const std::string& name) { return concat(foreign, ".", what, ".", name, ".weight"); };
  if (what == "EncDecAttention") {
    map.take(own + ".query.weight", {part("q")});
    map.take(own + ".key_value.weight", {part("k"), part("v")});
  } else {
    map.take(own + ".query_key_value.weight", {part("q"), part("k"), part("v")});
  }
  map.take(own + ".output.weight", {part("o")});
  map.take(own + ".norm.weight", {foreign + ".layer_norm.weight"});
}

void take_feed_forward(ParameterMap& map, const std::string& own, const std::string& foreign, bool gated) {
  const auto part = [&](const std::string& name) {
    return concat(foreign, ".DenseReluDense.", name, ".weight");
  };
  if (gated) {
    map.take(own + ".inner.weight", {part("wi_0"), part("wi_1")});
  } else {
    map.take(own + ".inner.weight", {part("wi")});
  }
  map.take(own + ".outer.weight", {part("wo")});
  map.take(own + ".norm.weight", {foreign + ".layer_norm.weight"});
}

}  // namespace

ParameterMap t5_parameters(const NetworkSettings& network) {
  const NetworkSizes& sizes = network.sizes;
  const bool gated = network.own<TransformerSettings>().gated_feed_forward;
  const bool tied = sizes.tied_embeddings == TiedEmbeddings::all;
  const std::string embedding = "shared.weight", bias = ".relative_attention_bias.weight";
  ParameterMap map;
  map.take("embedding.weight", {embedding});
  std::vector<std::string> copies{"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"};
  if (tied) {
    copies.emplace_back("lm_head.weight");
  } else {
    map.take("output.weight", {"lm_head.weight"});
  }
  map.copies(embedding, std::move(copies));
  map.ignore("decoder.block.0.layer.1.EncDecAttention" + bias);  // of old files; never used
  for (const bool decoder : {false, true}) {
    const std::string side = decoder ? "decoder" : "encoder";
    map.take(side + ".distances",
             {.arrays = {side + ".block.0.layer.0.SelfAttention" + bias}, .transposed = true});
    for (int number = 0; number < (decoder ? sizes.decoder_layers : sizes.encoder_layers); ++number) {
      const std::string own = concat(side, ".", number), block = concat(side, ".block.", number, ".layer.");
      take_attention(map, own + ".self_attention", block + "0", "SelfAttention");
      if (decoder) take_attention(map, own + ".cross_attention", block + "1", "EncDecAttention");
      take_feed_forward(map, own + ".feed_forward", block + (decoder ? "2" : "1"), gated);
    }
    ParameterParts norm{.arrays = {side + ".final_layer_norm.weight"}};
    if (decoder && tied) norm.factor = 1 / std::sqrt(static_cast<float>(sizes.width));
    map.take(side + ".norm.weight", norm);
  }
  return map;
}

}  // namespace gloss
