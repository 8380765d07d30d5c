// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/position_schemes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "model/layers/initialisers.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

/// Cosines, then sines, of the angles of each position: the wavelengths of rotary positions (Su et al. 2021).
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

/// Scores decrease with the distance, with a different slope for each head (ALiBi, Press et al. 2022).
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

/// T5's bucket of a distance: half of the buckets have one distance each, the others ranges that grow
/// exponentially up to the reach. Computed in single precision, as T5 does.
int bucket_of(int distance, int buckets, int reach) {
  const int exact = buckets / 2;
  if (distance < exact) return distance;
  const auto ratio = [exact](int of) { return std::log(static_cast<float>(of) / static_cast<float>(exact)); };
  const auto further = static_cast<int>(ratio(distance) / ratio(reach) * static_cast<float>(buckets - exact));
  return std::min(exact + further, buckets - 1);
}

/// The buckets of distances from -reach to reach. With `two_sides`, later keys have the second half of the
/// buckets; otherwise, queries do not see them.
std::vector<int> buckets_of_distances(const TransformerSettings& settings, bool two_sides) {
  const int reach = settings.reach();
  const int buckets = two_sides ? settings.relative_buckets / 2 : settings.relative_buckets;
  std::vector<int> all;
  for (int distance = -reach; distance <= reach; ++distance) {
    const bool later = distance > 0;
    const int bucket = bucket_of(later && !two_sides ? 0 : std::abs(distance), buckets, reach);
    all.push_back(bucket + (later && two_sides ? buckets : 0));
  }
  return all;
}

/// A bias for each offset in a grid and each head, as in Swin (Liu et al. 2021).
PositionScheme declare_offsets(Parameters& parameters, const NetworkSizes& sizes, const GridSize& grid) {
  const Shape shape{sizes.heads, offsets_of(grid)};
  return {{},
          {.distances = parameters.declare("encoder.distances", shape, normal_values(0.1)),
           .angles = {},
           .grid_columns = grid.columns}};
}

/// The scheme of one side.
PositionScheme declare_positions_of(Parameters& parameters, const std::string& side,
                                    const NetworkSizes& sizes, const TransformerSettings& settings) {
  const std::int64_t heads = sizes.heads;
  switch (settings.positions) {
    case Positions::none:
      return {};
    case Positions::sinusoidal:
      return {sinusoidal_positions(sizes.max_positions, sizes.width), {}};
    case Positions::learned: {
      const Shape shape{sizes.max_positions, sizes.width};
      return {parameters.declare(side + ".positions", shape, normal_values(1.0 / std::sqrt(sizes.width))),
              {}};
    }
    case Positions::relative:
    case Positions::sinusoidal_relative: {
      const Shape shape{heads, 2 * std::int64_t{settings.reach()} + 1};
      const bool sinusoids = adds_sinusoids(settings.positions);
      return {sinusoids ? sinusoidal_positions(sizes.max_positions, sizes.width) : Tensor(),
              {parameters.declare(side + ".distances", shape, normal_values(0.1)), {}}};
    }
    case Positions::rotary: {
      const auto head_width = static_cast<int>(attention_sizes(sizes, settings).heads.head_width);
      return {{}, {{}, rotary_angles(sizes.max_positions, head_width)}};
    }
    case Positions::alibi:
      return {{}, {falling_distances(sizes.max_positions - 1, sizes.heads), {}}};
    case Positions::buckets: {
      const Shape shape{heads, settings.relative_buckets};
      return {.embeddings = {},
              .attention = {},
              .buckets = parameters.declare(side + ".distances", shape, normal_values(0.1)),
              .bucket_of_distance = buckets_of_distances(settings, side == "encoder")};
    }
  }
  throw BrokenPromise("positions without a scheme");
}

}  // namespace

AttentionPositions PositionScheme::in_attention() const {
  if (!buckets) return attention;
  return {gather_columns(buckets, bucket_of_distance), attention.angles};
}

std::int64_t offsets_of(const GridSize& grid) {
  return (2 * std::int64_t{grid.rows} - 1) * (2 * std::int64_t{grid.columns} - 1);
}

PositionSchemes declare_positions(Parameters& parameters, const NetworkSizes& sizes,
                                  const TransformerSettings& settings, const GridSize& grid) {
  PositionSchemes schemes;
  if (sizes.encoder_layers > 0) {
    schemes.encoder = grid.columns > 0 ? declare_offsets(parameters, sizes, grid)
                                       : declare_positions_of(parameters, "encoder", sizes, settings);
  }
  const TransformerSide decoder = decoder_side(sizes, settings);
  const bool shares_table =
      settings.positions == Positions::sinusoidal && decoder.settings.positions == settings.positions;
  if (sizes.encoder_layers > 0 && shares_table) {
    schemes.decoder = schemes.encoder;  // one table
  } else if (sizes.decoder_layers > 0) {
    schemes.decoder = declare_positions_of(parameters, "decoder", decoder.sizes, decoder.settings);
  }
  return schemes;
}

}  // namespace gloss
