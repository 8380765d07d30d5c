// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/segment_words.h"

#include <algorithm>
#include <cstring>

#include "base/random.h"

namespace gloss {
namespace {

std::uint32_t hash_of(std::string_view word) {
  std::uint64_t hash = word.size() * 0x9e3779b97f4a7c15ULL;
  while (word.size() > 8) {
    std::uint64_t block;
    std::memcpy(&block, word.data(), 8);
    hash = (hash ^ block) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
    word.remove_prefix(8);
  }
  std::uint64_t block = 0;
  std::memcpy(&block, word.data(), word.size());
  return static_cast<std::uint32_t>(mix_bits(hash ^ block));
}

}  // namespace

void WordNumbers::clear() {
  words_.clear();
  // Shrinks after a huge line, which would slow down clearing for all later lines.
  constexpr std::size_t kUsual = 1024;
  slots_.assign(std::min(slots_.size(), kUsual), Slot());
}

std::size_t WordNumbers::place(std::string_view word, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].word != kUnknown && (slots_[at].hash != hash || words_[slots_[at].word] != word)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::uint32_t WordNumbers::add(std::string_view word) {
  const std::uint32_t hash = hash_of(word);
  std::size_t at = place(word, hash);
  if (slots_[at].word != kUnknown) return slots_[at].word;
  if (2 * (words_.size() + 1) > slots_.size()) {
    grow();
    at = place(word, hash);
  }
  slots_[at] = {hash, static_cast<std::uint32_t>(words_.size())};
  words_.push_back(word);
  return slots_[at].word;
}

std::uint32_t WordNumbers::find(std::string_view word) const {
  return slots_[place(word, hash_of(word))].word;
}

void WordNumbers::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.word == kUnknown) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].word != kUnknown) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace gloss
