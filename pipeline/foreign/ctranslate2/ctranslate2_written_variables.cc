// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_written_variables.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_parameters.h"
#include "pipeline/foreign/shared/stored_positions.h"

namespace gloss {
namespace {

std::int8_t number_of(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return 0;
    case Activation::gelu:
      return 1;
    case Activation::swish:
      return 2;
    case Activation::gelu_exact:
      return 3;
    default:
      throw BrokenPromise("an activation that was not refused");
  }
}

}  // namespace

CTranslate2WrittenVariables::CTranslate2WrittenVariables(const ModelToExport& model)
    : network_(model.model.settings) {
  ParameterMap map = ctranslate2_parameters(network_);
  if (network_.own<TransformerSettings>().positions == Positions::learned) {
    for (const std::string& side : ctranslate2_sides(network_))
      map.take(side + ".positions", {ctranslate2_positions(side)});
  }
  for (const ExportedArray& array : exported_arrays(*model.model.parameters, map)) add_weights(array);
  for (const std::string& side : ctranslate2_sides(network_)) {
    add_settings(side);
    add_positions(side);
  }
  for (const CTranslate2Attention& layer : ctranslate2_attention(network_)) add_attention(layer);
}

void CTranslate2WrittenVariables::add_weights(const ExportedArray& array) {
  if (array.rows.type == DType::int8) return add_int8(array);
  const auto bytes = [this, array]() -> std::span<const std::byte> {
    if (array.rows.type == DType::f32 && !array.transposed) {  // used where it is
      return {static_cast<const std::byte*>(array.rows.numbers), array.count() * sizeof(float)};
    }
    wide_.resize(array.count());
    array.read(wide_);
    return std::as_bytes(std::span(wide_));
  };
  variables_.push_back({array.name, NumberType::f32, array.shape, bytes});
}

/// A weight of CTranslate2 is the number divided by the scale of its row.
void CTranslate2WrittenVariables::add_int8(const ExportedArray& array) {
  expects(array.name.ends_with("weight"), array.name, " cannot have scales");
  const auto bytes = [array]() -> std::span<const std::byte> {
    return {static_cast<const std::byte*>(array.rows.numbers), array.count()};
  };
  const auto scales = [this, array] {
    wide_.resize(index(array.rows.rows));
    for (std::size_t row = 0; row < wide_.size(); ++row) {
      const float divisor = 1 / array.rows.scales[row];
      // The numbers of such a row are all zero.
      wide_[row] = std::isfinite(divisor) && divisor > 0 ? divisor : 1;
    }
    return std::as_bytes(std::span(wide_));
  };
  variables_.push_back({array.name, NumberType::i8, array.shape, bytes});
  variables_.push_back({array.name + "_scale", NumberType::f32, {array.rows.rows}, scales});
}

template <class Number>
void CTranslate2WrittenVariables::add_number(const std::string& name, Number number) {
  const auto bytes = [this, number]() -> std::span<const std::byte> {
    const auto part = std::as_bytes(std::span(&number, 1));
    small_.assign(part.begin(), part.end());
    return small_;
  };
  const NumberType type = std::is_floating_point_v<Number> ? NumberType::f32
                          : sizeof(Number) == 1            ? NumberType::i8
                          : sizeof(Number) == 2            ? NumberType::i16
                                                           : NumberType::i32;
  variables_.push_back({name, type, {}, bytes});
}
void CTranslate2WrittenVariables::add_flag(const std::string& name, bool flag) {
  add_number(name, static_cast<std::int8_t>(flag));
}

void CTranslate2WrittenVariables::add_settings(const std::string& side) {
  const auto& own = network_.own<TransformerSettings>();
  const auto name = [&](const std::string& setting) { return concat(side, "/", setting); };
  const int heads = side == "decoder" && own.decoder_heads > 0 ? own.decoder_heads : network_.sizes.heads;
  add_number(name("num_heads"), static_cast<std::int16_t>(heads));
  add_flag(name("pre_norm"), own.norm == NormPlacement::pre);
  add_number(name("activation"), number_of(own.activation));
  add_flag(name("scale_embeddings"), network_.sizes.scale_embeddings);
  if (side == "encoder") {
    add_number(name("embeddings_merge"), std::int8_t{0});
    return;
  }
  add_number(name("alignment_layer"), std::int16_t{-1});
  add_number(name("alignment_heads"), std::int16_t{1});
  add_flag(name("alibi"), own.positions == Positions::alibi);
  add_flag(name("alibi_use_positive_positions"), own.positions == Positions::alibi);
  add_flag(name("scale_alibi"), false);
  add_flag(name("start_from_zero_embedding"), network_.begin_token < 0);
}

/// What an attention has besides its weights. Newer versions of the program take `multi_query` only for a
/// single head of keys and values of a memory, older ones either.
void CTranslate2WrittenVariables::add_attention(const CTranslate2Attention& layer) {
  const auto& own = network_.own<TransformerSettings>();
  const auto name = [&](const std::string& setting) { return concat(layer.name, "/", setting); };
  const AttentionHeads heads = attention_sizes(network_.sizes, own).heads;
  if (own.attention_scale == AttentionScale::none || own.head_width > 0)
    add_number(name("queries_scale"), heads.scale);
  if (own.head_width > 0) add_number(name("head_dim"), std::int32_t{own.head_width});
  if (own.key_value_heads > 0) add_number(name("num_heads_kv"), std::int32_t{own.key_value_heads});
  if (own.key_value_heads == 1 && network_.sizes.encoder_layers > 0) add_flag(name("multi_query"), true);
  if (layer.of_memory) return;
  if (own.positions == Positions::buckets)
    add_number(name("relative_attention_max_distance"), std::int32_t{own.reach()});
  if (own.positions != Positions::rotary) return;
  add_number(name("rotary_dim"), std::int32_t{0});
  add_flag(name("rotary_interleave"), false);
}

/// Those that gloss computes have another number for the first position than those of CTranslate2.
void CTranslate2WrittenVariables::add_positions(const std::string& side) {
  const Positions positions = network_.own<TransformerSettings>().positions;
  if (positions != Positions::sinusoidal && positions != Positions::none) return;
  const int rows = network_.sizes.max_positions, width = network_.sizes.width;
  const auto bytes = [this, positions, rows, width] {
    wide_ = table_of_positions(positions, rows, width);
    return std::as_bytes(std::span(wide_));
  };
  variables_.push_back({ctranslate2_positions(side), NumberType::f32, {rows, width}, bytes});
}

}  // namespace gloss
