#include <algorithm>
#include <cmath>

#include "model/networks/transformer.h"

namespace gloss {
namespace {

/// Sines in the first half of the columns, cosines in the second, of wavelengths from 2 pi to 10000 * 2 pi.
Tensor sinusoidal_positions(int count, int width) {
  Tensor table = Tensor::zeros({count, width});
  const int half = width / 2;
  for (int i = 0; i < half; ++i) {
    const double frequency = std::pow(10000.0, -static_cast<double>(i) / std::max(1, half - 1));
    for (int place = 0; place < count; ++place) {
      table.data()[place * width + i] = static_cast<float>(std::sin(place * frequency));
      table.data()[place * width + half + i] = static_cast<float>(std::cos(place * frequency));
    }
  }
  return table;
}

}  // namespace

EmbeddingTables declare_embeddings(Parameters& parameters, const TransformerSettings& s,
                                   const VocabularySettings& vocabulary) {
  const auto declare = [&](const std::string& name, int size, Role role) {
    return parameters.declare(name + ".weight", {size, s.width}, normal_values(1.0 / std::sqrt(s.width)),
                              role);
  };
  const bool encodes = s.encoder_layers > 0, decodes = s.decoder_layers > 0;
  EmbeddingTables tables;
  if (s.tied_embeddings == TiedEmbeddings::all) {
    tables.output = declare("embedding", vocabulary.target, Role::matrix_and_table);
    if (encodes) tables.source = tables.output;
    if (decodes) tables.target = tables.output;
    return tables;
  }
  const bool tied = s.tied_embeddings == TiedEmbeddings::target;
  if (encodes) tables.source = declare("source_embedding", vocabulary.source, Role::table);
  if (decodes) {
    tables.target =
        declare("target_embedding", vocabulary.target, tied ? Role::matrix_and_table : Role::table);
  }
  tables.output = tied ? tables.target : declare("output", vocabulary.target, Role::matrix);
  return tables;
}

PositionTables declare_positions(Parameters& parameters, const TransformerSettings& s) {
  if (s.positions == Positions::sinusoidal) {
    const Tensor table = sinusoidal_positions(s.max_positions, s.width);
    return {table, table};
  }
  const auto learned = [&](const char* name) {
    return parameters.declare(name, {s.max_positions, s.width}, normal_values(1.0 / std::sqrt(s.width)));
  };
  PositionTables tables;
  if (s.encoder_layers > 0) tables.encoder = learned("encoder.positions");
  if (s.decoder_layers > 0) tables.decoder = learned("decoder.positions");
  return tables;
}

Residual::Residual(Parameters& parameters, const std::string& name, const TransformerSettings& settings)
    : placement_(settings.norm), norm_(parameters, name + ".norm", settings.width) {}

FeedForward::FeedForward(Parameters& parameters, const std::string& name, const TransformerSettings& s,
                         double output_scale)
    : activation_(s.activation),
      inner_(parameters, name + ".inner", s.width, s.feed_forward_width,
             xavier_uniform(s.width, s.feed_forward_width)),
      outer_(parameters, name + ".outer", s.feed_forward_width, s.width,
             scaled(xavier_uniform(s.width, s.feed_forward_width), output_scale)) {}

Tensor FeedForward::operator()(const Tensor& x, const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.activation();
  return outer_(activation_ == Activation::relu ? inner_.relu(x, mask) : inner_.gelu(x, mask));
}

TokenEmbedding::TokenEmbedding(Tensor table, Tensor positions)
    : table_(std::move(table)),
      positions_(std::move(positions)),
      scale_(std::sqrt(static_cast<float>(table_.columns()))) {}

Tensor TokenEmbedding::operator()(std::span<const TokenId> tokens, std::span<const int> places,
                                  const DropoutMask& mask) const {
  return embed(table_, positions_, tokens, places, scale_, mask);
}

SelfAttentionBlock::SelfAttentionBlock(Parameters& parameters, const std::string& name,
                                       const TransformerSettings& s, double output_scale)
    : around_attention(parameters, name + ".self_attention", s),
      self_attention(parameters, name + ".self_attention", s.width, s.heads, output_scale),
      around_feed_forward(parameters, name + ".feed_forward", s),
      feed_forward(parameters, name + ".feed_forward", s, output_scale) {}

Tensor SelfAttentionBlock::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                      const TransformerDropout& dropout) const {
  const Tensor y = around_attention(
      x, [&](const Tensor& z) { return self_attention(z, view, causal, dropout.attention()); }, dropout);
  return around_feed_forward(
      y, [&](const Tensor& z) { return feed_forward(z, dropout); }, dropout);
}

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const TransformerSettings& s)
    : around_attention(parameters, name + ".self_attention", s),
      self_attention(parameters, name + ".self_attention", s.width, s.heads),
      around_cross_attention(parameters, name + ".cross_attention", s),
      cross_attention(parameters, name + ".cross_attention", s.width, s.heads),
      around_feed_forward(parameters, name + ".feed_forward", s),
      feed_forward(parameters, name + ".feed_forward", s) {}

}  // namespace gloss
