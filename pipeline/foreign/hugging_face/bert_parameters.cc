// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/bert_parameters.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {
namespace {

void fill_identity(std::span<float> matrix, int width) {
  std::ranges::fill(matrix, 0.0f);
  for (std::size_t at = 0; at < matrix.size(); at += index(width) + 1) matrix[at] = 1;
}

void take_layer(ParameterMap& map, const std::string& own, const std::string& foreign) {
  const std::string attention = foreign + ".attention", self = attention + ".self.";
  map.take_linear(own + ".self_attention.query_key_value", {self + "query", self + "key", self + "value"});
  map.take_linear(own + ".self_attention.output", {attention + ".output.dense"});
  map.take_linear(own + ".self_attention.norm", {attention + ".output.LayerNorm"});
  map.take_linear(own + ".feed_forward.inner", {foreign + ".intermediate.dense"});
  map.take_linear(own + ".feed_forward.outer", {foreign + ".output.dense"});
  map.take_linear(own + ".feed_forward.norm", {foreign + ".output.LayerNorm"});
}

void take_readout(ParameterMap& map, const BertNames& names, const NetworkSettings& network,
                  bool has_readout) {
  if (has_readout) {
    map.take_linear("readout", {names.readout});
    map.take_linear("readout.norm", {names.readout_norm});
    if (!network.sizes.output_bias) return;
    map.take("output.bias", {names.output_bias});
    map.copies(names.output_bias, {names.output + ".bias"});
    return;
  }
  map.compute("readout.weight",
              [width = network.sizes.width](std::span<float> values) { fill_identity(values, width); });
  for (const std::string zeros : {"readout.bias", "readout.norm.bias", "output.bias"})
    map.compute(zeros, [](std::span<float> values) { std::ranges::fill(values, 0.0f); });
  map.compute("readout.norm.weight", [](std::span<float> values) { std::ranges::fill(values, 1.0f); });
}

}  // namespace

const BertNames& bert_names() {
  static const BertNames names{.prefix = "bert.",
                               .spare_positions = 0,
                               .readout = "cls.predictions.transform.dense",
                               .readout_norm = "cls.predictions.transform.LayerNorm",
                               .output_bias = "cls.predictions.bias",
                               .output = "cls.predictions.decoder",
                               .class_inner = "bert.pooler.dense",
                               .class_output = "classifier"};
  return names;
}

const BertNames& roberta_names() {
  static const BertNames names{.prefix = "roberta.",
                               .spare_positions = 2,
                               .readout = "lm_head.dense",
                               .readout_norm = "lm_head.layer_norm",
                               .output_bias = "lm_head.bias",
                               .output = "lm_head.decoder",
                               .class_inner = "classifier.dense",
                               .class_output = "classifier.out_proj"};
  return names;
}

ParameterMap bert_parameters(const NetworkSettings& network, const BertNames& names, bool has_readout) {
  const std::string embeddings = names.prefix + "embeddings.", words = embeddings + "word_embeddings.weight";
  const auto& own = network.own<TransformerSettings>();
  ParameterMap map;
  const bool tied = network.sizes.tied_embeddings == TiedEmbeddings::all;
  map.take(tied ? "embedding.weight" : "source_embedding.weight", {words});
  if (tied) map.copies(words, {names.output + ".weight"});
  map.take("encoder.positions", ParameterParts{.arrays = {embeddings + "position_embeddings.weight"},
                                               .spare_rows = names.spare_positions});
  if (own.token_types > 0) map.take("encoder.token_types", {embeddings + "token_type_embeddings.weight"});
  map.take_linear("encoder.embedding_norm", {embeddings + "LayerNorm"});
  for (int layer = 0; layer < network.sizes.encoder_layers; ++layer)
    take_layer(map, concat("encoder.", layer), concat(names.prefix, "encoder.layer.", layer));
  if (form_of(network) == Form::classifier) {
    if (network.classifier.inner_layer) map.take_linear("classifier.inner", {names.class_inner});
    map.take_linear("classifier", {names.class_output});
    return map;
  }
  take_readout(map, names, network, has_readout);
  if (!tied) map.take("output.weight", {names.output + ".weight"});
  return map;
}

}  // namespace gloss
