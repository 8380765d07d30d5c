// SPDX-License-Identifier: Apache-2.0
// Position encodings: do scores depend on the order of tokens?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "model/networks/transformer/position_schemes.h"
#include "network_checks.h"
#include "network_variants.h"

namespace gloss {
namespace {

/// The scores and the attention of the first step for a sentence of five tokens and its end token, permuted.
std::vector<float> first_scores(const Network& network, const std::vector<std::size_t>& order,
                                SourceAttention& attention) {
  const std::vector<TokenId> tokens{11, 7, 30, 7, 42, 2};
  std::vector<TokenId> permuted;
  for (const std::size_t place : order) permuted.push_back(tokens[place]);
  TokenRows source;
  source.add(permuted);
  const std::unique_ptr<DecoderState> state = network.start(source);
  const Tensor scores = network.step(std::vector<TokenId>{network.begin()}, *state, &attention);
  return {scores.data(), scores.data() + scores.columns()};
}

TEST(Positions, WithoutPositionsTheOrderOfTheSourceHasNoEffect) {
  const std::vector<std::size_t> as_it_is{0, 1, 2, 3, 4, 5}, other{3, 5, 0, 4, 1, 2};
  for (const Positions positions :
       {Positions::none, Positions::sinusoidal, Positions::learned, Positions::relative, Positions::rotary,
        Positions::alibi, Positions::buckets, Positions::sinusoidal_relative}) {
    NetworkSettings settings = small_settings();
    settings.own<TransformerSettings>().positions = positions;
    const Fresh fresh(settings);
    SourceAttention attention, permuted_attention;
    const std::vector<float> scores = first_scores(*fresh.network, as_it_is, attention),
                             permuted = first_scores(*fresh.network, other, permuted_attention);
    // Without positions, encoder rows are permuted like the tokens, and so is the attention; sums are equal.
    float scores_apart = 0, weights_apart = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores_apart = std::max(scores_apart, std::abs(scores[i] - permuted[i]));
    }
    for (std::size_t i = 0; i < other.size(); ++i) {
      weights_apart =
          std::max(weights_apart, std::abs(attention.weights[other[i]] - permuted_attention.weights[i]));
    }
    if (positions == Positions::none) {
      EXPECT_LT(scores_apart, 1e-4f);
      EXPECT_LT(weights_apart, 1e-5f);
    } else {
      EXPECT_GT(scores_apart, 1e-3f) << static_cast<int>(positions);
      EXPECT_GT(weights_apart, 1e-4f) << static_cast<int>(positions);
    }
  }
}

/// The bucket of each distance from 0 in the direction of `sign`.
std::vector<int> buckets_of(const PositionScheme& scheme, int reach, int sign) {
  std::vector<int> all;
  for (int distance = 0; distance <= reach; ++distance)
    all.push_back(scheme.bucket_of_distance[index(reach + sign * distance)]);
  return all;
}

TEST(Positions, BucketsAreThoseOfT5) {
  NetworkSettings settings = small_settings();
  settings.own<TransformerSettings>().positions = Positions::buckets;
  Parameters parameters;
  const PositionSchemes schemes =
      declare_positions(parameters, settings.sizes, settings.own<TransformerSettings>());
  // The first distances of the encoder's buckets with more than one, out of 16 for each direction.
  const std::vector<int> starts{8, 12, 16, 23, 32, 46, 64, 91};
  const std::vector<int> earlier = buckets_of(schemes.encoder, 128, -1),
                         later = buckets_of(schemes.encoder, 128, 1),
                         of_decoder = buckets_of(schemes.decoder, 128, -1);
  for (int distance = 0; distance <= 128; ++distance) {
    const auto wide = std::ranges::upper_bound(starts, distance) - starts.begin();
    const int expected = distance < 8 ? distance : static_cast<int>(7 + wide);
    EXPECT_EQ(earlier[index(distance)], expected) << distance;
    EXPECT_EQ(later[index(distance)], distance == 0 ? 0 : 16 + expected) << distance;
  }
  for (int distance = 0; distance < 19; ++distance)
    EXPECT_EQ(of_decoder[index(distance)], std::min(distance, 16)) << distance;
  EXPECT_EQ(of_decoder[19], 17);
  EXPECT_EQ(of_decoder[112], 30);
  EXPECT_EQ(of_decoder[113], 31);
  EXPECT_EQ(of_decoder[128], 31);
}

}  // namespace
}  // namespace gloss
