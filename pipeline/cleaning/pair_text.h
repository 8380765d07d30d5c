// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/character_classes.h"

namespace gloss {

/// Some characters of a text.
struct TextPart {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
};

/// One side of a pair, decoded once for all rules.
struct SideText {
  std::string_view bytes{};              ///< well-formed UTF-8
  std::u32string characters{};           ///< its code points
  std::vector<std::uint32_t> classes{};  ///< of each (CharacterClass)
  std::vector<TextPart> words{};         ///< pieces between white space (kSplits)
  std::uint32_t present = 0;             ///< the bits that some class has

  /// Decodes a text, which must outlive this object.
  void read(std::string_view text);

  std::size_t size() const { return characters.size(); }
  bool has(std::size_t place, std::uint32_t bits) const { return (classes[place] & bits) != 0; }
  /// The number of characters whose class has one of these bits.
  std::size_t count(std::uint32_t bits) const;
  /// The pieces between characters whose class has one of these bits.
  std::vector<TextPart> pieces(std::uint32_t bits) const;
  /// The longest of some pieces, in characters.
  static std::size_t longest(const std::vector<TextPart>& pieces);
  bool is_ascii() const { return bytes.size() == characters.size(); }
  /// True if an ASCII character occurs.
  bool has_byte(char byte) const { return bytes.find(byte) != std::string_view::npos; }
  std::u32string_view part(const TextPart& place) const {
    return std::u32string_view(characters).substr(place.begin, place.size());
  }
};

/// Both sides of a pair; the target of text of one language is empty.
struct PairText {
  SideText source, target;
  bool one_language = false;
};

/// Longer texts are compared by their first characters only, where the time grows faster than the length.
inline constexpr std::size_t kMostCompared = 4000;

/// The characters of a side that are compared then.
inline std::u32string_view compared_characters(const SideText& side) {
  return std::u32string_view(side.characters).substr(0, kMostCompared);
}

}  // namespace gloss
