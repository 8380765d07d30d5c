// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_attention.h"

#include <cmath>

#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
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
  const ForeignArray& output = variables.at(layer.output + "/weight");
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

}  // namespace

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

}  // namespace gloss
