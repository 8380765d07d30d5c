// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// The generator of numpy.random.default_rng: PCG64 (PCG XSL-RR 128/64, O'Neill 2014), seeded by
/// SeedSequence. It returns the same numbers as NumPy, so that statistical tests give the same results as
/// sacreBLEU.
class NumpyRandom {
 public:
  /// `seed` in 32-bit digits, lowest first.
  explicit NumpyRandom(std::span<const std::uint32_t> seed);

  std::uint64_t bits64() {
    state_ = state_ * kMultiplier + increment_;
    const auto folded = static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
    return std::rotr(folded, static_cast<int>(state_ >> 122));
  }
  /// 32 random bits: the lower, then the upper half of a 64-bit number.
  std::uint32_t bits32() {
    has_kept_ = !has_kept_;
    if (!has_kept_) return kept_;
    const std::uint64_t both = bits64();
    kept_ = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
  }
  /// A number in [0, limit), as from Generator.integers for limits up to 2^32 (Lemire 2019).
  std::uint32_t below(std::uint64_t limit) {
    std::uint64_t product = bits32() * limit;
    if (static_cast<std::uint32_t>(product) < limit) [[unlikely]]
      product = redraw(product, limit);
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kMultiplier = (Wide{0x2360ed051fc65da4ULL} << 64) | 0x4385df649fccf645ULL;
  std::uint64_t redraw(std::uint64_t product, std::uint64_t limit);

  Wide state_ = 0, increment_ = 0;
  std::uint32_t kept_ = 0;  // upper half of the last 64-bit number
  bool has_kept_ = false;
};

/// The bits from Generator.integers(2, dtype=bool), 32 from each 32-bit number, lowest first.
class NumpyBits {
 public:
  explicit NumpyBits(NumpyRandom& random) : random_(random) {}
  /// The next `count` (1 to 32) bits as a number; the first bit is the lowest.
  std::uint32_t take(int count);

 private:
  NumpyRandom& random_;
  std::uint64_t waiting_ = 0;
  int waiting_count_ = 0;
};

/// The 32-bit digits, lowest first, of a decimal integer; throws UsageError, which calls it `label`, for
/// other texts.
std::vector<std::uint32_t> seed_digits(const std::string& decimals, const std::string& label);

}  // namespace gloss
