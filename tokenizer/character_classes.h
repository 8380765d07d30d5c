// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

namespace gloss {

/// Properties of a character: bits of its class, whose highest byte is the number of its script.
enum CharacterClass : std::uint32_t {
  kLetter = 1 << 0,      ///< general category L
  kAlphabetic = 1 << 1,  ///< Unicode's property Alphabetic
  kUpper = 1 << 2,       ///< Uppercase, or a title-case letter
  kLower = 1 << 3,       ///< Lowercase
  kDigit = 1 << 4,       ///< general category Nd
  kSplits = 1 << 5,      ///< white space as Python's str.split() defines it (is_white_space)
  kSpace = 1 << 6,       ///< Unicode's property White_Space, which is Perl's \s
  kPunctuation = 1 << 7,
  kSymbol = 1 << 8,
  kMark = 1 << 9,
  kControl = 1 << 10,  ///< general category Cc
  kFormat = 1 << 11,   ///< general category Cf
  kPrivate = 1 << 12,  ///< general category Co
  kPictograph = 1 << 13,
  kWordPart = 1 << 14  ///< letters, digits, marks and '_': \w
};

/// The number of the script of a class.
constexpr std::uint32_t script_of(std::uint32_t character_class) { return character_class >> 24; }
/// The number of a script by its name or that of a language's script, such as "Latin", "Cyrl" or "de"; 0 for
/// unknown names.
std::uint32_t script_named(const std::string& name);

/// The class of a character, from a table that is filled where it is needed. Safe to call on many threads.
std::uint32_t character_class(char32_t character);

}  // namespace gloss
