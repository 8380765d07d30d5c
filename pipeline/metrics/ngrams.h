#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gloss {

/// The n-grams of the references of one segment, from 1 to `max_order` symbols long, with their counts. Each
/// is a node of a tree, found from its prefix and its last symbol, so that no n-gram is ever written out and
/// a hypothesis is followed only as far as it matches.
class NgramCounts {
 public:
  /// Forgets everything; memory is kept.
  void clear(int max_order);
  /// Counts the n-grams of a reference. An n-gram of several references counts as often as in that reference
  /// where it is most frequent.
  void add(std::span<const std::uint32_t> symbols);
  /// Adds to matches[n - 1] how many n-grams of `symbols` are found here, each at most as often as it was
  /// counted.
  void match(std::span<const std::uint32_t> symbols, std::span<std::int64_t> matches);

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t node = 0;
    std::uint32_t round = 0;  // a slot of an earlier round is empty
  };
  std::uint32_t find(std::uint32_t prefix, std::uint32_t symbol) const;
  std::uint32_t find_or_add(std::uint32_t prefix, std::uint32_t symbol);
  std::size_t first_slot(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);
  }
  void grow();

  int max_order_ = 0;
  std::uint32_t round_ = 1;
  int shift_ = 64 - 8;
  std::vector<Slot> slots_ = std::vector<Slot>(1u << 8);
  std::vector<std::uint32_t> counts_;  // by node; node 0 is the empty n-gram
  std::vector<std::uint32_t> seen_;    // by node: in the text at hand
  bool first_ = true;
};

/// How many n-grams of `order` symbols a text of `length` symbols has.
inline std::int64_t ngrams_in(std::int64_t length, int order) {
  return length >= order ? length - order + 1 : 0;
}

}  // namespace gloss
