// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/character_counts.h"

#include <algorithm>
#include <functional>

#include "tokenizer/characters.h"

namespace gloss {

void CharacterCounts::add(std::string_view line) {
  symbols_.for_each_rest(line, [&](std::string_view rest) {
    code_points(rest, characters_);
    for (const char32_t character : characters_) {
      if (character == 0) continue;
      ++counts_[character == 0x2581 ? U' ' : character];
      ++total_;
    }
  });
}

std::vector<std::string> CharacterCounts::most_frequent(double coverage) const {
  std::vector<char32_t> characters;
  for (char32_t character = 0; character < counts_.size(); ++character) {
    if (counts_[character] > 0 && character != U' ') characters.push_back(character);
  }
  std::ranges::stable_sort(characters, std::greater(),
                           [&](char32_t character) { return counts_[character]; });
  std::vector<std::string> texts;
  std::int64_t covered = counts_[U' '];
  for (const char32_t character : characters) {
    if (static_cast<double>(covered) >= coverage * static_cast<double>(total_)) break;
    covered += counts_[character];
    append_utf8(texts.emplace_back(), character);
  }
  return texts;
}

}  // namespace gloss
