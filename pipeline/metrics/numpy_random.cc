// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/numpy_random.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/shown.h"

namespace gloss {
namespace {

/// NumPy's SeedSequence (based on O'Neill's seed_seq_fe): mixes a seed into 128 bits, from which it derives
/// the initial state of a generator.
class SeedSequence {
 public:
  explicit SeedSequence(std::span<const std::uint32_t> entropy) {
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(i < entropy.size() ? entropy[i] : 0);
    for (std::size_t from = 0; from < pool_.size(); ++from) {
      for (std::size_t to = 0; to < pool_.size(); ++to) {
        if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
      }
    }
    for (std::size_t from = pool_.size(); from < entropy.size(); ++from) {
      for (std::uint32_t& word : pool_) word = mix(word, hash(entropy[from]));
    }
  }

  std::array<std::uint64_t, 4> generate() const {
    std::array<std::uint32_t, 8> words{};
    std::uint32_t constant = 0x8b51f9dd;
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::uint32_t value = pool_[i % pool_.size()] ^ constant;
      constant *= 0x58f38ded;
      value *= constant;
      words[i] = value ^ (value >> 16);
    }
    std::array<std::uint64_t, 4> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = words[2 * i] | (std::uint64_t{words[2 * i + 1]} << 32);
    }
    return numbers;
  }

 private:
  std::uint32_t hash(std::uint32_t value) {
    value ^= constant_;
    constant_ *= 0x931e8875;
    value *= constant_;
    return value ^ (value >> 16);
  }
  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t value = 0xca01f9dd * x - 0x4973f715 * y;
    return value ^ (value >> 16);
  }

  std::array<std::uint32_t, 4> pool_{};
  std::uint32_t constant_ = 0x43b0d7e5;
};

}  // namespace

NumpyRandom::NumpyRandom(std::span<const std::uint32_t> seed) {
  const std::array<std::uint64_t, 4> start = SeedSequence(seed).generate();
  increment_ = (((Wide{start[2]} << 64) | start[3]) << 1) | 1;
  state_ = (increment_ + ((Wide{start[0]} << 64) | start[1])) * kMultiplier + increment_;
}

std::uint64_t NumpyRandom::redraw(std::uint64_t product, std::uint64_t limit) {
  // Rejects numbers below this threshold, which would make some results more likely than others.
  const std::uint64_t threshold = (0x100000000ULL - limit) % limit;
  while (static_cast<std::uint32_t>(product) < threshold) product = bits32() * limit;
  return product;
}

std::uint32_t NumpyBits::take(int count) {
  if (waiting_count_ < count) {
    waiting_ |= static_cast<std::uint64_t>(random_.bits32()) << waiting_count_;
    waiting_count_ += 32;
  }
  const auto bits = static_cast<std::uint32_t>(waiting_ & ((std::uint64_t{1} << count) - 1));
  waiting_ >>= count;
  waiting_count_ -= count;
  return bits;
}

std::vector<std::uint32_t> seed_digits(const std::string& decimals, const std::string& label) {
  std::vector<std::uint32_t> digits{0};
  const bool whole =
      !decimals.empty() && decimals.size() <= 1000 &&
      std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!whole) throw UsageError(concat(label, " is ", shown(decimals), "; expected a non-negative integer"));
  for (const char decimal : decimals) {
    std::uint64_t carry = static_cast<std::uint64_t>(decimal - '0');
    for (std::uint32_t& digit : digits) {
      carry += std::uint64_t{digit} * 10;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) digits.push_back(static_cast<std::uint32_t>(carry));
  }
  return digits;
}

}  // namespace gloss
