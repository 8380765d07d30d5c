// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gloss {

/// Mixes 64 bits so that every output bit depends on every input bit (SplitMix64 finaliser, Steele et al.
/// 2014).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// A counter-based random generator: the n-th number is a function of the seed and n. Its state is two
/// numbers, so it can be saved and restored exactly; `derive` gives independent streams in any order.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t drawn = 0) : seed_(seed), drawn_(drawn) {}

  /// 64 random bits.
  std::uint64_t bits() { return mix_bits(mix_bits(seed_ + 0x9e3779b97f4a7c15ULL * ++drawn_) ^ seed_); }
  /// A number in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  /// An integer drawn uniformly from [0, limit); `limit` > 0.
  std::uint64_t below(std::uint64_t limit);
  /// A number from the normal distribution with mean 0 and variance 1 (Box and Muller 1958).
  double normal();
  /// Puts `items` in a random order (Fisher and Yates).
  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  /// A generator for purpose `stream`, independent of this one's position.
  Random derive(std::uint64_t stream) const {
    return Random(mix_bits(seed_ ^ mix_bits(stream + 0x632be59bd9b4e019ULL)));
  }

  std::uint64_t seed() const { return seed_; }
  /// How many numbers were drawn; together with the seed, this is the complete state.
  std::uint64_t drawn() const { return drawn_; }

 private:
  std::uint64_t seed_;
  std::uint64_t drawn_;
};

}  // namespace gloss
