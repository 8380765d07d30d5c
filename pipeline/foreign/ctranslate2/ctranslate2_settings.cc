// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_settings.h"

#include <array>
#include <cmath>

#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_positions.h"
#include "pipeline/foreign/shared/matrix_size.h"

namespace gloss {
namespace {

constexpr int kMostHeads = 1 << 16;

/// A variable that is a whole number from 1 to kMostHeads; `otherwise` if it is missing.
int count_of(const CTranslate2Variables& variables, const std::string& name, std::optional<double> value,
             int otherwise) {
  if (!value) return otherwise;
  if (*value < 1 || *value > kMostHeads || *value != std::floor(*value))
    variables.refuse(name, concat(*value), concat("a whole number from 1 to ", kMostHeads));
  return static_cast<int>(*value);
}

int heads_of(CTranslate2Variables& variables, const std::string& side) {
  const int standard = variables.file().specification == "TransformerBig" ? 16 : 8;
  return count_of(variables, side + "/num_heads", variables.number(side, "num_heads"), standard);
}

/// The heads of an attention layer.
struct Heads {
  int width = 0;               ///< of each; 0: the width of the network divided by their number
  int keys_values = 0;         ///< number of those of keys and values; 0: all
  bool divides_scores = true;  ///< by the square root of their width
  bool operator==(const Heads&) const = default;
};

/// Queries are multiplied by a number, by default 1 / the root of the width that the program takes for that
/// of a head.
bool divides_scores(CTranslate2Variables& variables, const std::string& layer, int assumed, int head_width) {
  const std::string name = layer + "/queries_scale";
  const double scale = variables.number(name).value_or(1 / std::sqrt(assumed));
  const double root = 1 / std::sqrt(head_width);
  if (std::abs(scale - root) <= 1e-5 * root) return true;
  if (scale == 1) return false;
  variables.refuse(name, concat(scale), concat("1, or 1 / the root of the head width, ", root));
}

Heads read_layer(CTranslate2Variables& variables, const CTranslate2Attention& layer, int heads, int width) {
  const StoredArray& output = variables.at(layer.output + "/weight");
  const int inner = size_of_matrix(output, 1);
  if (inner % heads != 0) {
    variables.refuse(layer.name, concat(inner, " wide with ", heads, " heads"),
                     "a width that the heads divide");
  }
  const auto number = [&](const std::string& setting, int otherwise) {
    const std::string name = concat(layer.name, "/", setting);
    return count_of(variables, name, variables.number(name), otherwise);
  };
  Heads read{.width = inner / heads};
  const int assumed = number("head_dim", std::max(1, width / heads));
  if (assumed != read.width && variables.has(layer.name + "/head_dim"))
    variables.refuse(layer.name + "/head_dim", concat(assumed), concat(read.width));
  const bool one = variables.number(layer.name + "/multi_query").value_or(0) != 0;
  const int keys_values = number("num_heads_kv", heads);
  read.keys_values = one ? 1 : keys_values == heads ? 0 : keys_values;
  read.divides_scores = divides_scores(variables, layer.name, assumed, read.width);
  return read;
}

/// Reads the heads of all attention layers: their number on both sides, their width, those of keys and
/// values, and the scale of scores. Layers and width must be known. Throws InputError for what gloss cannot
/// represent, such as layers that differ.
void read_ctranslate2_attention(CTranslate2Variables& variables, NetworkSettings& network) {
  NetworkSizes& sizes = network.sizes;
  auto& own = network.own<TransformerSettings>();
  sizes.heads = heads_of(variables, variables.first_side());
  if (const int of_decoder = heads_of(variables, "decoder"); of_decoder != sizes.heads)
    own.decoder_heads = of_decoder;
  std::optional<Heads> all;
  for (const CTranslate2Attention& layer : ctranslate2_attention(network)) {
    const int heads = layer.side == "decoder" && own.decoder_heads > 0 ? own.decoder_heads : sizes.heads;
    Heads read = read_layer(variables, layer, heads, sizes.width);
    if (std::int64_t{read.width} * heads == sizes.width) read.width = 0;  // as by default
    if (!all) all = read;
    if (read == *all) continue;
    variables.refuse(layer.name,
                     "an attention with other heads or another queries_scale than the first layer",
                     "the same in all layers");
  }
  own.head_width = all->width;
  own.key_value_heads = all->keys_values;
  own.attention_scale = all->divides_scores ? AttentionScale::sqrt : AttentionScale::none;
}

// Settings of alignment, of how several embeddings would be joined, of how alibi counts, and of what each
// attention layer says.
constexpr std::array kUnneeded{"alignment_layer", "alignment_heads", "embeddings_merge",
                               "alibi_use_positive_positions", "multi_query_attention"};

Activation activation(CTranslate2Variables& variables) {
  constexpr std::array kActivations{Activation::relu, Activation::gelu, Activation::swish,
                                    Activation::gelu_exact};
  const double value = variables.shared("activation", 0);
  for (std::size_t i = 0; i < kActivations.size(); ++i) {
    if (value == static_cast<double>(i)) return kActivations[i];
  }
  variables.refuse("activation", concat(value), "0 (relu), 1 (gelu with tanh), 2 (swish) or 3 (gelu)");
}

/// Whether the embeddings of a side are multiplied by the square root of their width.
bool scales(CTranslate2Variables& variables, const std::string& side) {
  const std::string name = side + "/scale_embeddings";
  const bool flag = !variables.has(name) || variables.file().arrays.find(name)->type() == NumberType::i8;
  const std::optional<double> old = variables.number(side + "/embeddings/multiply_by_sqrt_depth");
  const double value = variables.number(name).value_or(old.value_or(1));
  if (flag) return value != 0;
  const double root = std::sqrt(size_of_matrix(variables.at("decoder/embeddings/weight"), 1));
  if (value == 1) return false;
  if (std::abs(value - root) <= 1e-5 * root) return true;
  variables.refuse(name, concat(value), concat("1 or the square root of the width, ", root));
}

TiedEmbeddings ties(const CTranslate2Variables& variables) {
  const auto variable = [&](const std::string& name) {
    const auto alias = variables.file().aliases.find(name);
    return alias == variables.file().aliases.end() ? name : alias->second;
  };
  const std::string target = variable("decoder/embeddings/weight");
  const bool output = variable("decoder/projection/weight") == target;
  for (const std::string name : {"encoder/embeddings_0/weight", "encoder/embeddings/weight"}) {
    if (variable(name) == target) return output ? TiedEmbeddings::all : TiedEmbeddings::inputs;
  }
  return output ? TiedEmbeddings::target : TiedEmbeddings::none;
}

}  // namespace

NetworkSettings read_ctranslate2_settings(CTranslate2Variables& variables) {
  NetworkSettings network;
  NetworkSizes& sizes = network.sizes;
  const StoredArray& target = variables.at("decoder/embeddings/weight");
  const StoredArray& source = variables.decodes_only() ? target
                              : variables.has("encoder/embeddings/weight")
                                  ? variables.at("encoder/embeddings/weight")
                                  : variables.at("encoder/embeddings_0/weight");
  network.source_vocabulary = size_of_matrix(source, 0);
  network.target_vocabulary = size_of_matrix(target, 0);
  sizes.width = size_of_matrix(target, 1);
  sizes.encoder_layers = variables.decodes_only() ? 0 : variables.layers("encoder");
  sizes.decoder_layers = variables.layers("decoder");
  sizes.tied_embeddings = ties(variables);
  sizes.scale_embeddings =
      variables.of_both("scale_embeddings", [&](const std::string& side) { return scales(variables, side); });
  auto& own = network.own<TransformerSettings>();
  own.norm = variables.shared("pre_norm", 1) != 0 ? NormPlacement::pre : NormPlacement::post;
  own.activation = activation(variables);
  read_ctranslate2_attention(variables, network);
  const auto inner = [&](const std::string& side) {
    return size_of_matrix(variables.at(side + "/layer_0/ffn/linear_0/weight"), 0);
  };
  own.feed_forward_width = inner(variables.first_side());
  if (const int of_decoder = inner("decoder"); of_decoder != own.feed_forward_width)
    own.decoder_feed_forward_width = of_decoder;
  const std::string layer = concat(variables.sides().back(), "/layer_0/");
  own.gated_feed_forward = variables.has(layer + "ffn/linear_0_noact/weight");
  own.linear_bias = variables.has(layer + "ffn/linear_0/bias");
  sizes.output_bias = variables.has("decoder/projection/bias");
  own.norm_type = variables.has(layer + "ffn/layer_norm/beta") ? NormType::layer : NormType::rms;
  own.norm_epsilon = variables.config().number("layer_norm_epsilon",
                                               own.norm_type == NormType::layer ? 1e-5 : 1e-6, 1e-12, 1);
  own.embedding_norm = variables.has(variables.sides().back() + "/layernorm_embedding/gamma");
  read_ctranslate2_positions(variables, network);
  for (const std::string& side : variables.sides()) {
    for (const std::string name : kUnneeded) variables.number(side, name);
  }
  return network;
}

}  // namespace gloss
