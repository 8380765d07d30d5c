// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/pair_text.h"

#include <algorithm>
#include <array>

#include "tokenizer/characters.h"

namespace gloss {
namespace {
constexpr char32_t kLatin = 0x180;  // most characters of most texts are below
}  // namespace

void SideText::read(std::string_view text) {
  static const std::array latin = [] {
    std::array<std::uint32_t, kLatin> table{};
    for (char32_t c = 0; c < kLatin; ++c) table[c] = character_class(c);
    return table;
  }();
  bytes = text;
  code_points(text, characters);
  classes.resize(characters.size());
  words.clear();
  present = 0;
  bool in_word = false;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const std::uint32_t found = c < kLatin ? latin[c] : character_class(c);
    classes[i] = found;
    present |= found & 0xFFFFFF;
    const bool splits = (found & kSplits) != 0;
    if (in_word == splits) {
      if (splits) words.back().end = i;
      if (!splits) words.push_back({i, characters.size()});
      in_word = !splits;
    }
  }
}

std::size_t SideText::count(std::uint32_t bits) const {
  if ((present & bits) == 0) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(classes, [bits](std::uint32_t found) { return (found & bits) != 0; }));
}

std::vector<TextPart> SideText::pieces(std::uint32_t bits) const {
  std::vector<TextPart> found;
  for (std::size_t begin = 0; begin < size();) {
    std::size_t end = begin;
    while (end < size() && !has(end, bits)) ++end;
    if (end > begin) found.push_back({begin, end});
    begin = end + 1;
  }
  return found;
}

std::size_t SideText::longest(const std::vector<TextPart>& pieces) {
  std::size_t most = 0;
  for (const TextPart& piece : pieces) most = std::max(most, piece.size());
  return most;
}

}  // namespace gloss
