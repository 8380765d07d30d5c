// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions over grids.
//
// Letters: t places, a rows of taps, k taps of a row.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr int kTile = 4;  // places or taps whose sums are in registers together

/// Channels of a row: `Vectors` whole vectors, or one of `count` elements.
template <int Vectors>
struct Channels {
  std::int64_t first, count;

  template <class Number>
  Vector of(const Number* row, int vector) const {
    if constexpr (Vectors > 1) {
      return load(row + first + vector * kLanes);
    } else {
      return take(row + first, count);
    }
  }
  template <class Number>
  void write(Number* row, int vector, Vector value) const {
    if constexpr (Vectors > 1) {
      store(row + first + vector * kLanes, value);
    } else {
      give(row + first, value, count);
    }
  }
};

/// Calls `use` for the channels of rows of this width, two vectors at a time and the rest vector by vector.
template <class Use>
inline void each_channels(std::int64_t width, Use use) {
  std::int64_t i = 0;
  for (; i + 2 * kLanes <= width; i += 2 * kLanes) use(Channels<2>{i, kLanes});
  for (; i < width; i += kLanes) use(Channels<1>{i, width - i < kLanes ? width - i : kLanes});
}

/// The part of a row of a grid that is there.
struct GridRow {
  std::int64_t start, columns;  ///< its first place and the number of its places; 0: outside

  template <class Number>
  GridRow(const ConvolvedGrid<Number>& grid, std::int64_t row) : start(row * grid.columns), columns(0) {
    if (start < 0 || start >= grid.length) return;
    columns = grid.length - start < grid.columns ? grid.length - start : grid.columns;
  }
};

/// Place t and the `count` - 1 next ones, at most kTile together, all in a row of the grid.
template <int Vectors, class Number>
inline void convolve_tile(const ConvolvedGrid<Number>& grid, const float* weights, std::int64_t t,
                          std::int64_t count, const Channels<Vectors>& channels) {
  const std::int64_t row = t / grid.columns, column = t % grid.columns, taps = grid.taps.count,
                     width = grid.width;
  Vector sums[kTile][Vectors] = {};
  for (std::int64_t a = 0; a < taps; ++a) {
    const GridRow from(grid, row + grid.taps.first + a * grid.taps.step);
    if (from.columns == 0) continue;
    for (std::int64_t k = 0; k < taps; ++k) {
      const std::int64_t read = column + grid.taps.first + k * grid.taps.step;
      const Number* const x = grid.x + (from.start + read) * width;
      Vector of_tap[Vectors];
      for (int v = 0; v < Vectors; ++v) of_tap[v] = channels.of(weights + (a * taps + k) * width, v);
      const auto add = [&](int place) {
        for (int v = 0; v < Vectors; ++v) sums[place][v] += of_tap[v] * channels.of(x + place * width, v);
      };
      if (count == kTile && read >= 0 && read + kTile <= from.columns) {
        for (int place = 0; place < kTile; ++place) add(place);
      } else {
        for (int place = 0; place < kTile; ++place) {
          if (place < count && read + place >= 0 && read + place < from.columns) add(place);
        }
      }
    }
  }
  for (int place = 0; place < kTile; ++place) {
    if (place >= count) break;
    Number* const y = grid.y + (t + place) * width;
    for (int v = 0; v < Vectors; ++v)
      channels.write(y, v, grid.accumulate ? channels.of(y, v) + sums[place][v] : sums[place][v]);
  }
}

template <class Number>
void convolve_grid(const ConvolvedGrid<Number>& rows, const float* weights) {
  const ConvolvedGrid<Number> grid = rows;
  for (std::int64_t t = grid.first; t < grid.last;) {
    const std::int64_t row_end = (t / grid.columns + 1) * grid.columns,
                       end = row_end < grid.last ? row_end : grid.last,
                       count = end - t < kTile ? end - t : kTile;
    each_channels(grid.width,
                  [&](const auto& channels) { convolve_tile(grid, weights, t, count, channels); });
    t += count;
  }
}

/// Adds the gradient of the weights of tap k of row `a` and the next ones, at most kTile together.
template <int Vectors, class Number>
inline void add_tap_gradient(const ConvolvedGrid<Number>& grid, std::int64_t a, std::int64_t k, float* sums,
                             const Channels<Vectors>& channels) {
  const std::int64_t taps = grid.taps.count, step = grid.taps.step, width = grid.width;
  const std::int64_t count = taps - k < kTile ? taps - k : kTile;
  Vector of_taps[kTile][Vectors] = {};
  for (std::int64_t row = grid.first / grid.columns; row * grid.columns < grid.last; ++row) {
    const GridRow from(grid, row + grid.taps.first + a * step);
    if (from.columns == 0) continue;
    const std::int64_t start = row * grid.columns, begin = start > grid.first ? start : grid.first,
                       end = start + grid.columns < grid.last ? start + grid.columns : grid.last;
    for (std::int64_t t = begin; t < end; ++t) {
      const std::int64_t read = t - start + grid.taps.first + k * step, last = read + (kTile - 1) * step;
      const Number* const x = grid.x + (from.start + read) * width;
      Vector dy[Vectors];
      for (int v = 0; v < Vectors; ++v) dy[v] = channels.of(grid.y + t * width, v);
      const auto add = [&](int tap) {
        for (int v = 0; v < Vectors; ++v) of_taps[tap][v] += dy[v] * channels.of(x + tap * step * width, v);
      };
      if (count == kTile && read >= 0 && last >= 0 && read < from.columns && last < from.columns) {
        for (int tap = 0; tap < kTile; ++tap) add(tap);
      } else {
        for (int tap = 0; tap < kTile; ++tap) {
          if (tap < count && read + tap * step >= 0 && read + tap * step < from.columns) add(tap);
        }
      }
    }
  }
  for (int tap = 0; tap < kTile; ++tap) {
    if (tap >= count) break;
    float* const to = sums + (a * taps + k + tap) * width;
    for (int v = 0; v < Vectors; ++v) channels.write(to, v, channels.of(to, v) + of_taps[tap][v]);
  }
}

template <class Number>
void convolve_grid_gradient(const ConvolvedGrid<Number>& rows, float* sums) {
  const ConvolvedGrid<Number> grid = rows;
  each_channels(grid.width, [&](const auto& channels) {
    for (std::int64_t a = 0; a < grid.taps.count; ++a) {
      for (std::int64_t k = 0; k < grid.taps.count; k += kTile) add_tap_gradient(grid, a, k, sums, channels);
    }
  });
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.convolve_grid = convolve_grid;
  k.convolve_grid_gradient = convolve_grid_gradient;
}

}  // namespace

void add_grid_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS
