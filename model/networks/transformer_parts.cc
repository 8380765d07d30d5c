#include <algorithm>
#include <cmath>

#include "base/error.h"
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

/// Cosines, then sines, of each place's angles: the wavelengths of rotary positions (Su et al. 2021).
Tensor rotary_angles(int count, int head_width) {
  Tensor table = Tensor::zeros({count, head_width});
  const int half = head_width / 2;
  for (int i = 0; i < half; ++i) {
    const double frequency = std::pow(10000.0, -static_cast<double>(i) / half);
    for (int place = 0; place < count; ++place) {
      table.data()[place * head_width + i] = static_cast<float>(std::cos(place * frequency));
      table.data()[place * head_width + half + i] = static_cast<float>(std::sin(place * frequency));
    }
  }
  return table;
}

/// Scores fall with the distance, from head to head more slowly (ALiBi, Press et al. 2022).
Tensor falling_distances(int reach, int heads) {
  Tensor table = Tensor::zeros({heads, 2 * std::int64_t{reach} + 1});
  for (int head = 0; head < heads; ++head) {
    const double slope = std::exp2(-8.0 * (head + 1) / heads);
    for (int distance = -reach; distance <= reach; ++distance) {
      table.data()[std::int64_t{head} * table.columns() + reach + distance] =
          static_cast<float>(-slope * std::abs(distance));
    }
  }
  return table;
}

}  // namespace

PositionSchemes declare_positions(Parameters& parameters, const TransformerSettings& s) {
  const auto alike = [](const PositionScheme& scheme) { return PositionSchemes{scheme, scheme}; };
  const auto learned = [&](const std::string& what, const auto& declare) {
    PositionSchemes schemes;
    if (s.encoder_layers > 0) schemes.encoder = declare("encoder" + what);
    if (s.decoder_layers > 0) schemes.decoder = declare("decoder" + what);
    return schemes;
  };
  switch (s.positions) {
    case Positions::none:
      return {};
    case Positions::sinusoidal:
      return alike({sinusoidal_positions(s.max_positions, s.width), {}});
    case Positions::learned:
      return learned(".positions", [&](const std::string& name) -> PositionScheme {
        const Shape shape{s.max_positions, s.width};
        return {parameters.declare(name, shape, normal_values(1.0 / std::sqrt(s.width))), {}};
      });
    case Positions::relative:
      return learned(".distances", [&](const std::string& name) -> PositionScheme {
        const Shape shape{s.heads, 2 * std::int64_t{s.relative_reach} + 1};
        return {{}, {parameters.declare(name, shape, normal_values(0.1)), {}}};
      });
    case Positions::rotary:
      return alike({{}, {{}, rotary_angles(s.max_positions, s.width / s.heads)}});
    case Positions::alibi:
      return alike({{}, {falling_distances(s.max_positions - 1, s.heads), {}}});
  }
  throw BrokenPromise("positions without a scheme");
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
                                       const TransformerSettings& s, const AttentionPositions& positions,
                                       double output_scale)
    : around_attention(parameters, name + ".self_attention", s),
      self_attention(parameters, name + ".self_attention", s.width, s.heads, positions, output_scale),
      around_feed_forward(parameters, name + ".feed_forward", s),
      feed_forward(parameters, name + ".feed_forward", s, output_scale) {}

Tensor SelfAttentionBlock::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                      const TransformerDropout& dropout) const {
  const Tensor y = around_attention(
      x, [&](const Tensor& z) { return self_attention(z, view, causal, dropout.attention()); }, dropout);
  return around_feed_forward(
      y, [&](const Tensor& z) { return feed_forward(z, dropout); }, dropout);
}

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const TransformerSettings& s,
                           const AttentionPositions& positions)
    : around_attention(parameters, name + ".self_attention", s),
      self_attention(parameters, name + ".self_attention", s.width, s.heads, positions),
      around_cross_attention(parameters, name + ".cross_attention", s),
      cross_attention(parameters, name + ".cross_attention", s.width, s.heads),
      around_feed_forward(parameters, name + ".feed_forward", s),
      feed_forward(parameters, name + ".feed_forward", s) {}

}  // namespace gloss
