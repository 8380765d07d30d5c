// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gloss {

/// A cache of the ids of words, in bounded memory. Thread-safe.
class WordCache {
 public:
  /// Appends the ids of a word to `ids`; false if the word is not in the cache.
  bool find(std::string_view word, std::vector<int>& ids) const;
  /// Adds the ids of a word, unless it is very long.
  void insert(std::string_view word, std::span<const int> ids);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// A part of the cache with its own lock, so that threads rarely wait for each other.
  struct Shard {
    mutable std::mutex guard;
    std::unordered_map<std::string, std::vector<int>, Hash, std::equal_to<>> ids;
  };
  static constexpr std::size_t kShards = 64;
  static std::size_t shard_of(std::string_view word) {
    return std::hash<std::string_view>()(word) / 0x10000 % kShards;
  }

  std::array<Shard, kShards> shards_;
};

}  // namespace gloss
