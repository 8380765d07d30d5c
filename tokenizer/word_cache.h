#pragma once

#include <array>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gloss {

/// The ids of words met before, in bounded memory. Safe to use from many threads.
class WordCache {
 public:
  /// Appends the ids of a word to `ids`; false if it is not at hand.
  bool find(std::string_view word, std::vector<int>& ids) const;
  /// Remembers the ids of a word; very long words are not worth it.
  void insert(std::string_view word, std::span<const int> ids);

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// A part of the words with its own lock, so that threads seldom wait for each other.
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
