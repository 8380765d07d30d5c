// SPDX-License-Identifier: Apache-2.0
// Products of int8, compiled once per instruction set: each has its own way to add four products to a sum.
#include "model/kernels/loops_quantise.h"

namespace gloss::GLOSS_LOOPS {
namespace {

typedef std::int32_t LooseIntegers __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

/// Four bytes in each lane.
inline Integers broadcast(const std::uint8_t* from) {
  std::int32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return four - Integers{};
}
inline Integers weights_at(const std::int8_t* from) { return *reinterpret_cast<const LooseIntegers*>(from); }

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)

// One instruction multiplies unsigned with signed bytes and adds four products to a sum. Weights are stored
// as w + 128, so that the sum of a row starts with -128 times the sum of its inputs.
constexpr std::uint32_t kWeightBits = 0x80808080;
constexpr bool kFasterWithoutNegative = false;
constexpr int kInputBytes = 1;
#if defined(__AVX512VNNI__)
constexpr int kTileRows = 12, kTileVectors = 2;
#else
constexpr int kTileRows = 6, kTileVectors = 2;
#endif

inline Integers offset_of(Integers x) { return -128 * x; }
inline void put_inputs(std::uint8_t* to, std::int32_t four) { __builtin_memcpy(to, &four, sizeof four); }

struct Inputs {
  Integers x;
};
template <bool Negative>
inline Inputs inputs_at(const std::uint8_t* from) {
  return {broadcast(from)};
}
inline Integers add_products(Integers sums, const Inputs& inputs, Integers weights) {
#if defined(__AVX512VNNI__)
  return reinterpret_cast<Integers>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sums),
                                                        reinterpret_cast<__m512i>(weights),
                                                        reinterpret_cast<__m512i>(inputs.x)));
#else
  return reinterpret_cast<Integers>(_mm256_dpbusd_avx_epi32(reinterpret_cast<__m256i>(sums),
                                                            reinterpret_cast<__m256i>(weights),
                                                            reinterpret_cast<__m256i>(inputs.x)));
#endif
}

#elif defined(__AVX2__)

// vpmaddubsw multiplies unsigned with signed bytes and adds two products in 16 bits. Magnitudes of x, at most
// 127, keep these sums below 2 * 127 * 128, so nothing saturates. For a negative x, w is replaced by its
// complement -w - 1: |x| (-w - 1) = x w - |x|, so that the sum of a row starts with its negative inputs' |x|.
// Rows without negative inputs, as after ReLU, save the complements.
constexpr bool kFasterWithoutNegative = true;
constexpr std::uint32_t kWeightBits = 0;
constexpr int kInputBytes = 2;
constexpr int kTileRows = 6, kTileVectors = 2;

inline Integers offset_of(Integers x) { return x < 0 ? -x : Integers{}; }
inline void put_inputs(std::uint8_t* to, std::int32_t four) {
  typedef std::int8_t Four __attribute__((vector_size(4)));
  const Four x = reinterpret_cast<Four>(four), negative = x < 0, magnitudes = (x ^ negative) - negative;
  __builtin_memcpy(to, &magnitudes, sizeof magnitudes);
  __builtin_memcpy(to + sizeof magnitudes, &negative, sizeof negative);
}

struct Inputs {
  Integers magnitudes, negative;
};
template <bool Negative>
inline Inputs inputs_at(const std::uint8_t* from) {
  return {broadcast(from), Negative ? broadcast(from + 4) : Integers{}};
}
inline Integers add_products(Integers sums, const Inputs& inputs, Integers weights) {
  const Integers signed_weights = weights ^ inputs.negative;
#if defined(__AVX512F__)
  const __m512i pairs = _mm512_maddubs_epi16(reinterpret_cast<__m512i>(inputs.magnitudes),
                                             reinterpret_cast<__m512i>(signed_weights));
  return sums + reinterpret_cast<Integers>(_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#else
  const __m256i pairs = _mm256_maddubs_epi16(reinterpret_cast<__m256i>(inputs.magnitudes),
                                             reinterpret_cast<__m256i>(signed_weights));
  return sums + reinterpret_cast<Integers>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}

#else

// Two products of 8 bits, with x at most 127, fit into 16 bits together.
constexpr bool kFasterWithoutNegative = false;
constexpr std::uint32_t kWeightBits = 0;
constexpr int kInputBytes = 1;
constexpr int kTileRows = 4, kTileVectors = 2;
typedef std::int16_t Shorts __attribute__((vector_size(kLanes * 4)));

inline Integers offset_of(Integers) { return Integers{}; }
inline void put_inputs(std::uint8_t* to, std::int32_t four) { __builtin_memcpy(to, &four, sizeof four); }

struct Inputs {
  Shorts even, odd;
};
inline Inputs widened(Integers bytes) {
  const Shorts pairs = reinterpret_cast<Shorts>(bytes);
  return {(pairs << 8) >> 8, pairs >> 8};
}
template <bool Negative>
inline Inputs inputs_at(const std::uint8_t* from) {
  return widened(broadcast(from));
}
inline Integers add_products(Integers sums, const Inputs& inputs, Integers weights) {
  const Inputs wide = widened(weights);
  const Integers pairs = reinterpret_cast<Integers>(wide.even * inputs.even + wide.odd * inputs.odd);
  return sums + ((pairs << 16) >> 16) + (pairs >> 16);
}

#endif

constexpr std::int64_t kPanel = kTileVectors * kLanes;
constexpr std::int64_t kGroupBytes = kInt8Group * kInputBytes;

// Rows of x lie in blocks of about equal size: [groups][rows of the block][kGroupBytes].
std::int64_t block_of(std::int64_t rows) {
  const std::int64_t blocks = (rows + kTileRows - 1) / kTileRows;
  return (rows + blocks - 1) / blocks;
}

template <class Number>
void quantise_rows(const Number* x, const Int8Rows& to) {
  const std::int64_t in = to.in, all_rows = to.rows, size = block_of(all_rows), groups = int8_groups(in);
  std::uint8_t* block = to.numbers;
  for (std::int64_t first = 0; first < all_rows; first += size) {
    const std::int64_t rows = all_rows - first < size ? all_rows - first : size, step = rows * kGroupBytes;
    for (std::int64_t r = 0; r < rows; ++r, x += in) {
      const Scaling scaling = scaling_for(largest_magnitude(x, in));
      Integers offsets{};
      std::uint8_t* at = block + r * kGroupBytes;
      const auto put = [&](Vector v, std::int64_t count) {
        const Integers integers = rounded(v, scaling.factor);
        offsets += offset_of(integers);
        const SignedBytes bytes = bytes_of(integers);
        std::int32_t fours[kLanes / kInt8Group];
        __builtin_memcpy(fours, &bytes, sizeof fours);
        for (int g = 0; g < kLanes / kInt8Group && g * kInt8Group < count; ++g, at += step)
          put_inputs(at, fours[g]);
      };
      by_vectors(
          in, [&](std::int64_t i) { put(load(x + i), kLanes); },
          [&](std::int64_t i, std::int64_t n) { put(load_part(x + i, n), n); });
      to.scales[first + r] = scaling.scale;
      std::uint32_t offset = 0;  // that of a row with NaN may overflow
      for (int i = 0; i < kLanes; ++i) offset += static_cast<std::uint32_t>(offsets[i]);
      to.offsets[first + r] = static_cast<std::int32_t>(offset);
    }
    block += groups * step;
  }
}

/// Packs weights [out, in] in panels: [groups][kPanel][kInt8Group].
void pack_int8(const std::int8_t* weights, std::int8_t* to, std::int64_t out, std::int64_t in) {
  const std::int64_t groups = int8_groups(in);
  for (std::int64_t first = 0; first < out; first += kPanel) {
    for (std::int64_t o = first; o < first + kPanel; ++o) {
      std::int8_t* at = to + first * groups * kInt8Group + (o - first) * kInt8Group;
      for (std::int64_t g = 0; g < groups; ++g, at += kPanel * kInt8Group) {
        const std::int64_t i = g * kInt8Group, rest = o < out ? in - i : 0;
        std::uint32_t four = 0;
        if (rest >= kInt8Group) {
          __builtin_memcpy(&four, weights + o * in + i, sizeof four);
        } else {
          for (std::int64_t j = 0; j < rest; ++j) {
            four |= std::uint32_t{static_cast<std::uint8_t>(weights[o * in + i + j])} << (8 * j);
          }
        }
        four ^= kWeightBits;
        __builtin_memcpy(at, &four, sizeof four);
      }
    }
  }
}

/// The sums of a block of rows with a panel of weights.
struct Tile {
  const std::uint8_t* x;
  const std::int32_t* offsets;
  const std::int8_t* weights;
  std::int64_t groups;
  std::int32_t* sums;  // [rows, kPanel]
};

template <int Rows, bool Negative>
void sum_tile(const Tile& tile) {
  // Few rows have several sums of each output, so that an addition need not wait for the one before.
  constexpr int kChains = Rows == 1 ? 4 : Rows <= 3 ? 2 : 1;
  constexpr std::int64_t kNear = 4096;  // bytes
  Integers sums[kChains][Rows][kTileVectors];
#pragma GCC unroll 16
  for (int chain = 0; chain < kChains; ++chain) {
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
      for (int v = 0; v < kTileVectors; ++v) {
        sums[chain][r][v] = (chain == 0 ? tile.offsets[r] : 0) - Integers{};
      }
    }
  }
  const std::uint8_t* x = tile.x;
  const std::int8_t* weights = tile.weights;
  const std::int64_t groups = tile.groups, panel_bytes = groups * kPanel * kInt8Group,
                     ahead = kChains > 1 ? kNear : panel_bytes;
  const auto add_group = [&](Integers(&to)[Rows][kTileVectors]) {
  // The next panel arrives while this one is used.
#pragma GCC unroll 16
    for (int line = 0; line < kPanel * kInt8Group; line += 64) __builtin_prefetch(weights + ahead + line);
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
      const Inputs inputs = inputs_at<Negative>(x + r * kGroupBytes);
#pragma GCC unroll 16
      for (int v = 0; v < kTileVectors; ++v) {
        to[r][v] = add_products(to[r][v], inputs, weights_at(weights + v * kLanes * kInt8Group));
      }
    }
    weights += kPanel * kInt8Group;
    x += Rows * kGroupBytes;
  };
  std::int64_t group = 0;
  for (; group + kChains <= groups; group += kChains) {
#pragma GCC unroll 16
    for (int chain = 0; chain < kChains; ++chain) add_group(sums[chain]);
  }
  for (; group < groups; ++group) add_group(sums[0]);
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kTileVectors; ++v) {
      Integers sum = sums[0][r][v];
#pragma GCC unroll 16
      for (int chain = 1; chain < kChains; ++chain) sum += sums[chain][r][v];
      *reinterpret_cast<LooseIntegers*>(tile.sums + r * kPanel + v * kLanes) = sum;
    }
  }
}

/// Calls the tile for this number of rows, of which some have negative inputs.
template <bool Negative, int Most = kTileRows>
void sum_rows(std::int64_t rows, const Tile& tile) {
  if constexpr (Most > 1) {
    if (rows < Most) return sum_rows<Negative, Most - 1>(rows, tile);
  }
  sum_tile<Most, Negative>(tile);
}

/// True unless the sums of all these rows start with 0, which they do if no input is negative.
bool any_negative(const std::int32_t* offsets, std::int64_t rows) {
  for (std::int64_t r = 0; r < rows; ++r) {
    if (offsets[r] != 0) return true;
  }
  return false;
}

/// Converts the sums of a row with a panel to results from `column` on.
template <class Number>
inline void scale_row(const Int8Product<Number>& p, const std::int32_t* sums, std::int64_t row,
                      std::int64_t column) {
  const std::int64_t count = p.columns - column < kPanel ? p.columns - column : kPanel;
  const float row_scale = p.x.scales[row];
  const float *column_scales = p.column_scales + column,
              *bias = p.bias != nullptr ? p.bias + column : nullptr;
  Number* const y = p.y + row * p.y_stride + column;
  const bool relu = p.relu;
  vectors(count, [&](std::int64_t i, std::int64_t n) {
    const Integers sum = *reinterpret_cast<const LooseIntegers*>(sums + i);
    const Vector wide = of_integers(sum), scale = take(column_scales + i, n) * row_scale;
    const Vector v = bias != nullptr ? wide * scale + take(bias + i, n) : Vector(wide * scale);
    give(y + i, relu ? larger(Vector{}, v) : v, n);  // this order keeps NaN
  });
}

template <class Number>
void multiply_int8(const Int8Product<Number>& p) {
  const std::int64_t groups = int8_groups(p.x.in), size = block_of(p.x.rows), all_rows = p.x.rows,
                     columns = p.columns;
  alignas(64) std::int32_t sums[kTileRows * kPanel];
  const std::int8_t* weights = p.weights;
  for (std::int64_t column = 0; column < columns; column += kPanel, weights += groups * kPanel * kInt8Group) {
    for (std::int64_t first = 0; first < all_rows; first += size) {
      const std::int64_t rows = all_rows - first < size ? all_rows - first : size;
      const Tile tile{.x = p.x.numbers + first * groups * kGroupBytes,
                      .offsets = p.x.offsets + first,
                      .weights = weights,
                      .groups = groups,
                      .sums = sums};
      if (!kFasterWithoutNegative || any_negative(tile.offsets, rows)) {
        sum_rows<true>(rows, tile);
      } else {
        sum_rows<!kFasterWithoutNegative>(rows, tile);
      }
      for (std::int64_t r = 0; r < rows; ++r) scale_row(p, sums + r * kPanel, first + r, column);
    }
  }
}

}  // namespace

void add_int8_products(Kernels& k) {
  k.int8 = {.panel = kPanel, .input_bytes = kInputBytes};
  k.pack_int8 = pack_int8;
  k.f32.quantise_rows = quantise_rows;
  k.f32.multiply_int8 = multiply_int8;
  k.bf16.quantise_rows = quantise_rows;
  k.bf16.multiply_int8 = multiply_int8;
}

}  // namespace gloss::GLOSS_LOOPS
