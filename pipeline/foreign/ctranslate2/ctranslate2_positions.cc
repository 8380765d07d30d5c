// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_positions.h"

#include <algorithm>
#include <cmath>

#include "model/networks/mixers/transformer_settings.h"
#include "model/networks/transformer/position_schemes.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/shared/matrix_size.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

// Computed positions have no number of their own.
constexpr int kComputedPositions = 1024;

void expect_rotary(CTranslate2Variables& variables, double dimensions, int head_width) {
  for (const std::string& side : variables.sides()) {
    const int count = variables.layers(side);
    for (int layer = 0; layer < count; ++layer) {
      const std::string attention = concat(side, "/layer_", layer, "/self_attention/");
      const double own = variables.number(attention + "rotary_dim").value_or(-1);
      if (own != dimensions || (own != 0 && own != head_width))
        variables.refuse(attention + "rotary_dim", concat(own), concat("0 or ", head_width));
      if (variables.number(attention + "rotary_interleave").value_or(1) != 0)
        variables.refuse(attention + "rotary_interleave", "1", "0");
      if (const double base = variables.number(attention + "rotary_base").value_or(10000); base != 10000)
        variables.refuse(attention + "rotary_base", concat(base), "10000");
      const double scaling = variables.number(attention + "rotary_scaling_factor").value_or(1);
      if (scaling != 1) variables.refuse(attention + "rotary_scaling_factor", concat(scaling), "1");
    }
  }
}

bool has_same_numbers(const StoredArray& a, const StoredArray& b) {
  if (a.shape() != b.shape()) return false;
  std::vector<float> of_a(a.count()), of_b(b.count());
  a.read(of_a);
  b.read(of_b);
  return of_a == of_b;
}

/// The biases of T5: all layers of a side have the same ones.
void read_buckets(CTranslate2Variables& variables, NetworkSettings& network) {
  constexpr int kMostBuckets = 1024, kFurthest = 1 << 20;
  auto& own = network.own<TransformerSettings>();
  own.positions = Positions::buckets;
  network.sizes.max_positions = kUnlimitedPositions;
  for (const std::string& side : variables.sides()) {
    const std::string first = ctranslate2_distances(side, 0);
    for (int layer = 0; layer < ctranslate2_layers(network, side); ++layer) {
      const std::string name = ctranslate2_distances(side, layer),
                        limit =
                            concat(side, "/layer_", layer, "/self_attention/relative_attention_max_distance");
      const int buckets = size_of_matrix(variables.at(name), 0);
      variables.at(limit);
      const double reach = *variables.number(limit);
      if (buckets > kMostBuckets)
        variables.refuse(name, concat(buckets, " rows"), concat("at most ", kMostBuckets));
      if (reach < 1 || reach > kFurthest || reach != std::floor(reach))
        variables.refuse(limit, concat(reach), concat("a whole number from 1 to ", kFurthest));
      if (own.relative_reach == 0) {
        own.relative_buckets = buckets;
        own.relative_reach = static_cast<int>(reach);
      }
      if (buckets != own.relative_buckets)
        variables.refuse(name, concat(buckets, " rows"), concat(own.relative_buckets, " on both sides"));
      if (reach != own.relative_reach)
        variables.refuse(limit, concat(reach), concat(own.relative_reach, " in all layers"));
      if (layer > 0 && !has_same_numbers(variables.at(name), variables.at(first)))
        variables.refuse(name, "another than that of the first layer", "the same in all layers");
    }
  }
}

/// None and those that gloss computes may be stored, too.
Positions stored_positions(CTranslate2Variables& variables) {
  std::vector<const StoredArray*> tables;
  for (const std::string& side : variables.sides()) {
    const StoredArray* const table = variables.find(ctranslate2_positions(side));
    if (table == nullptr) return Positions::learned;
    tables.push_back(table);
  }
  return kind_of_positions(tables);
}

}  // namespace

void read_ctranslate2_positions(CTranslate2Variables& variables, NetworkSettings& network) {
  NetworkSizes& sizes = network.sizes;
  auto& own = network.own<TransformerSettings>();
  const std::string last = variables.sides().back(), attention = last + "/layer_0/self_attention/";
  const bool alibi = variables.number(last + "/alibi").value_or(0) != 0,
             scales_alibi = variables.number(last + "/scale_alibi").value_or(0) != 0;
  sizes.max_positions = kComputedPositions;
  if (const std::optional<double> rotary = variables.number(attention + "rotary_dim")) {
    own.positions = Positions::rotary;
    const int head_width = own.head_width > 0 ? own.head_width : sizes.width / sizes.heads;
    expect_rotary(variables, *rotary, head_width);
  } else if (variables.has(ctranslate2_distances(last, 0))) {
    read_buckets(variables, network);
  } else if (alibi) {
    own.positions = Positions::alibi;
    const bool power = (sizes.heads & (sizes.heads - 1)) == 0;
    if (!power || !variables.decodes_only())
      variables.refuse("alibi", "1", "0 unless the model is a decoder whose number of heads is a power of 2");
    if (scales_alibi) variables.refuse("scale_alibi", "1", "0");
  } else {
    own.positions = Positions::learned;
    if (!variables.has(ctranslate2_positions("decoder"))) return;
    own.positions = stored_positions(variables);
    sizes.max_positions = size_of_matrix(variables.at(ctranslate2_positions("decoder")), 0);
  }
}

void add_ctranslate2_positions(const CTranslate2Variables& variables, const NetworkSettings& network,
                               ParameterMap& map) {
  if (network.own<TransformerSettings>().positions != Positions::learned) return;
  for (const std::string& side : variables.sides()) {
    if (variables.has(ctranslate2_positions(side))) {
      map.take(side + ".positions", {ctranslate2_positions(side)});
      continue;
    }
    map.compute(side + ".positions",
                [rows = network.sizes.max_positions, width = network.sizes.width](std::span<float> values) {
                  std::ranges::copy(sinusoidal_positions(rows, width, 1).values(), values.begin());
                });
  }
}

}  // namespace gloss
