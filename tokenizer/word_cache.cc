// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/word_cache.h"

namespace gloss {
namespace {
constexpr std::size_t kLongestCachedWord = 64;
constexpr std::size_t kWordsPerShard = 4096;
}  // namespace

bool WordCache::find(std::string_view word, std::vector<int>& ids) const {
  if (word.size() > kLongestCachedWord) return false;
  const Shard& shard = shards_[shard_of(word)];
  const std::lock_guard lock(shard.guard);
  const auto found = shard.ids.find(word);
  if (found == shard.ids.end()) return false;
  ids.insert(ids.end(), found->second.begin(), found->second.end());
  return true;
}

void WordCache::insert(std::string_view word, std::span<const int> ids) {
  if (word.size() > kLongestCachedWord) return;
  Shard& shard = shards_[shard_of(word)];
  const std::lock_guard lock(shard.guard);
  // A full shard is emptied: frequent words are soon back.
  if (shard.ids.size() >= kWordsPerShard) shard.ids.clear();
  shard.ids.emplace(word, std::vector<int>(ids.begin(), ids.end()));
}

}  // namespace gloss
