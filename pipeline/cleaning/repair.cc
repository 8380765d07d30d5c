// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/repair.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/cleaning/agreement.h"
#include "pipeline/cleaning/detokenise.h"
#include "pipeline/cleaning/markup.h"
#include "pipeline/cleaning/mojibake.h"
#include "pipeline/cleaning/pair_decision.h"
#include "tokenizer/characters.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

bool is_in(std::u32string_view set, char32_t c) { return set.find(c) != set.npos; }

/// Writes characters back; true if the text is another one.
bool put(std::string& text, const std::u32string& characters) {
  std::string changed;
  changed.reserve(text.size());
  for (const char32_t c : characters) append_utf8(changed, c);
  if (changed == text) return false;
  text = std::move(changed);
  return true;
}

bool mojibake(std::string& text, const RuleSetup&, Side) { return repair_mojibake(text); }
bool entities(std::string& text, const RuleSetup&, Side) {
  return text.find('&') != std::string::npos && decode_entities(text);
}
bool markup(std::string& text, const RuleSetup&, Side) { return remove_markup(text); }
bool tokenisation(std::string& text, const RuleSetup& setup, Side side) {
  return detokenise(text, setup.language(side));
}

/// Tabs become spaces. What separates lines is a space between sentences, and nothing within a word.
bool control_characters(std::string& text, const RuleSetup&, Side) {
  const bool has_control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (!has_control && text.find('\xC2') == std::string::npos && text.find("\xE2\x80") == std::string::npos)
    return false;
  const std::u32string characters = code_points(text);
  std::u32string kept;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const bool separates = is_in(U"\x0A\x0B\x0C\x0D\x85\x2028\x2029", c);
    if (c == U'\t') {
      kept += U' ';
    } else if (separates) {
      std::size_t after = i + 1;  // other control characters may follow
      while (after < characters.size() && (character_class(characters[after]) & kControl) != 0) ++after;
      const bool within = !kept.empty() && (character_class(kept.back()) & kLetter) != 0 &&
                          after < characters.size() && (character_class(characters[after]) & kLower) != 0;
      if (!within) kept += U' ';
      i = after - 1;
    } else if ((character_class(c) & kControl) == 0) {
      kept += c;
    }
  }
  return put(text, kept);
}

/// Joiners stay between letters of scripts that need them and within emoji, zero-width spaces where words
/// have no spaces.
bool format_characters(std::string& text, const RuleSetup&, Side) {
  if (is_ascii(text)) return false;
  const std::u32string characters = code_points(text);
  const auto class_at = [&](std::size_t place) {
    return place < characters.size() ? character_class(characters[place]) : 0U;
  };
  static const auto kJoining = std::to_array<std::uint32_t>(
      {script_named("Arabic"), script_named("Devanagari"), script_named("Bengali"), script_named("Tamil"),
       script_named("Telugu"), script_named("Kannada"), script_named("Malayalam"), script_named("Gujarati"),
       script_named("Gurmukhi"), script_named("Oriya"), script_named("Sinhala"), script_named("Khmer"),
       script_named("Myanmar"), script_named("Thai"), script_named("Lao"), script_named("Mongolian"),
       script_named("Syriac")});
  std::u32string kept;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const std::uint32_t found = character_class(c), before = i > 0 ? class_at(i - 1) : 0,
                        after = class_at(i + 1);
    const bool selector = c >= 0xFE00 && c <= 0xFE0F;
    if ((found & kFormat) == 0 && !selector && c != 0x34F) {
      kept += c;
      continue;
    }
    const bool emoji =
        (before & kPictograph) != 0 || (i > 0 && characters[i - 1] == 0xFE0F) || (before & kSymbol) != 0;
    const bool joins = is_in(U"\x200C\x200D\x200B", c) && std::ranges::count(kJoining, script_of(before)) > 0;
    const bool keeps = joins || (emoji && (selector || c == 0x200D)) ||
                       (selector && (after & kMark) != 0 && c != 0xFE0F) ||
                       (c >= 0x600 && c <= 0x6DD && c != 0x61C) || c >= 0xE0020;
    if (keeps) kept += c;
  }
  return put(text, kept);
}

/// Normal form C. Letters and digits of full width, and ligatures of Latin letters, become plain ones; so
/// does punctuation of full width in text without Chinese characters and kana.
bool unicode(std::string& text, const RuleSetup&, Side) {
  if (is_ascii(text)) return false;
  std::u32string characters = code_points(text);
  std::uint32_t present = 0;
  bool east_asian = false, compatible = false;
  static const std::uint32_t han = script_named("Han"), hiragana = script_named("Hiragana"),
                             katakana = script_named("Katakana");
  for (const char32_t c : characters) {
    const std::uint32_t found = character_class(c);
    present |= found;
    const std::uint32_t script = script_of(found);
    east_asian |= script == han || script == hiragana || script == katakana;
    compatible |= c >= 0xFB00;
  }
  std::string plain = text;
  if (compatible) {
    std::u32string replaced;
    static constexpr auto kLigatures =
        std::to_array<std::u32string_view>({U"ff", U"fi", U"fl", U"ffi", U"ffl", U"st", U"st"});
    for (const char32_t c : characters) {
      const bool wide = c >= 0xFF01 && c <= 0xFF5E;
      const char32_t narrow = c - 0xFEE0;
      if (c >= 0xFB00 && c <= 0xFB06) {
        replaced += kLigatures[c - 0xFB00];
      } else if (wide && (!east_asian || (narrow < 0x80 && std::isalnum(static_cast<int>(narrow)) != 0))) {
        replaced += narrow;
      } else {
        replaced += c;
      }
    }
    put(plain, replaced);
  }
  if ((present & kMark) != 0) plain = clean_text(plain, Normalization::nfc).text;
  if (plain == text) return false;
  text = std::move(plain);
  return true;
}

/// A space after a sentence that the next one follows without.
bool glued_sentences(std::string& text, const RuleSetup&, Side) {
  bool possible = false;
  for (std::size_t i = 1; i + 1 < text.size() && !possible; ++i) {
    possible = (text[i] == '.' || text[i] == '!' || text[i] == '?') && text[i - 1] != ' ' &&
               text[i + 1] != ' ' && text[i + 1] != '.';
  }
  if (!possible) return false;
  const std::u32string characters = code_points(text);
  std::u32string spaced;
  std::size_t small = 0;
  bool link = false;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    const std::uint32_t found = character_class(c);
    if ((found & kSplits) != 0) link = false;
    link |= c == U'/' || c == U'@' || c == U'\\' || c == U'_';
    spaced += c;
    const bool ends =
        (c == U'.' || c == U'!' || c == U'?') && small >= 2 && !link && i + 2 < characters.size();
    if (ends && (character_class(characters[i + 1]) & kUpper) != 0) {
      std::size_t end = i + 1;  // of the next word, which may be a name with points or a path
      while (end < characters.size() && (character_class(characters[end]) & (kLetter | kMark)) != 0) ++end;
      const bool word =
          end >= characters.size() || !is_in(U"./@\\_", characters[end]) ||
          (characters[end] == U'.' && (end + 1 >= characters.size() || characters[end + 1] == U' '));
      if (word && (end == i + 2 || (character_class(characters[i + 2]) & kLower) != 0)) spaced += U' ';
    }
    link |= c == U'.';  // a second point in one word is of an address or an abbreviation
    small = (found & kLower) != 0 ? small + 1 : 0;
  }
  return put(text, spaced);
}

/// White space becomes one U+0020; none stays at the ends.
template <CharacterClass kWhite>
bool spaces(std::string& text, const RuleSetup&, Side) {
  const auto plain = [](unsigned char c) { return c > 0x20 && c < 0x7F; };
  bool clean = !text.empty() ? text.front() != ' ' && text.back() != ' ' : true;
  for (std::size_t i = 0; i < text.size() && clean; ++i) {
    clean = plain(static_cast<unsigned char>(text[i])) || (text[i] == ' ' && text[i + 1] != ' ');
  }
  if (clean) return false;
  std::u32string kept;
  bool space = false;
  for (const char32_t c : code_points(text)) {
    const bool white = (character_class(c) & (kWhite | kSplits)) != 0 &&
                       (kWhite == kSplits || (character_class(c) & kWhite) != 0);
    if (white) {
      space = !kept.empty();
      continue;
    }
    if (space) kept += U' ';
    space = false;
    kept += c;
  }
  return put(text, kept);
}

bool trailing_space(std::string& text, const RuleSetup&, Side) {
  std::u32string kept = code_points(text);
  while (!kept.empty() && (character_class(kept.back()) & kSplits) != 0) kept.pop_back();
  return put(text, kept);
}

bool bars(std::string& text, const RuleSetup&, Side) { return std::erase(text, '|') > 0; }

bool quotes(std::string& text, const RuleSetup&, Side) {
  if (is_ascii(text)) return false;
  std::u32string characters = code_points(text);
  for (char32_t& c : characters) {
    if (is_in(U"“”„‟«»″", c)) c = U'"';
    if (is_in(U"‘’‚‛‹›′´", c)) c = U'\'';
  }
  return put(text, characters);
}
bool dashes(std::string& text, const RuleSetup&, Side) {
  if (is_ascii(text)) return false;
  std::u32string characters = code_points(text);
  for (char32_t& c : characters) {
    if (is_in(U"‐‑‒–—―−", c)) c = U'-';
  }
  return put(text, characters);
}

constexpr std::u32string_view kFinal = U".!?…。！？", kClosing = U"\"'”’“»)]」";

/// The last character that is no closing quote or bracket; 0: there is none.
char32_t last_mark(const std::u32string& text) {
  const std::size_t last = text.find_last_not_of(kClosing);
  return last == text.npos ? 0 : text[last];
}

/// The mark of the other side where a side has none. A stray mark after or in place of that of the other side
/// goes.
bool final_punctuation(std::string& source, std::string& target, const RuleSetup&) {
  if (source.empty() || target.empty()) return false;
  std::u32string sides[2] = {code_points(source), code_points(target)};
  bool changed = false;
  for (const int i : {0, 1}) {
    std::u32string& side = sides[i];
    const std::u32string& other = sides[1 - i];
    const char32_t mark = last_mark(other);
    if (!is_in(kFinal, mark) || other.back() != mark || is_in(kFinal, side.back())) continue;
    // A much shorter side has lost more than its mark.
    if (side.size() < other.size() && padded_length_ratio(side.size(), other.size()) > kFinishedRatio)
      continue;
    const std::uint32_t last = character_class(side.back());
    static const std::uint32_t han = script_named("Han"), hiragana = script_named("Hiragana"),
                               katakana = script_named("Katakana");
    const bool east = script_of(last) == han || script_of(last) == hiragana || script_of(last) == katakana;
    const char32_t plain = mark == U'。' ? U'.' : mark == U'！' ? U'!' : mark == U'？' ? U'?' : mark;
    const char32_t fitting = !east           ? plain
                             : plain == U'.' ? U'。'
                             : plain == U'!' ? U'！'
                             : plain == U'?' ? U'？'
                                             : plain;
    if ((last & (kLetter | kDigit | kMark)) != 0) {
      side += fitting;
      changed = true;
    } else if (is_in(U";,:»«\"”", side.back())) {
      const bool quote = is_in(U"»«\"”", side.back());
      const auto of_kind = std::ranges::count_if(side, [](char32_t c) { return is_in(U"»«\"“”„", c); });
      if (quote && of_kind % 2 == 0) continue;
      side.pop_back();
      while (!side.empty() && is_in(U" ;,:", side.back())) side.pop_back();
      if (side.empty() || !is_in(kFinal, side.back())) side += fitting;
      changed = true;
    }
  }
  if (!changed) return false;
  const bool first = put(source, sides[0]), second = put(target, sides[1]);
  return first || second;
}

bool swapped_sides(std::string& source, std::string& target, const RuleSetup& setup) {
  if (decided_languages(setup, source, target) != PairLanguages::swapped) return false;
  std::swap(source, target);
  return true;
}

}  // namespace

std::span<const Repair> repairs() {
  static const auto table = std::to_array<Repair>({
      {"mojibake",
       "decode UTF-8 that was read as Latin-1 or CP1252, up to three times, where the bytes prove it", "",
       mojibake},
      {"entities", "replace entities of HTML by their characters, also those escaped several times", "",
       entities},
      {"markup", "remove tags and comments of HTML", "", markup},
      {"control_characters", "remove control characters", "", control_characters},
      {"format_characters", "remove characters without width and marks of direction that no script needs", "",
       format_characters},
      {"unicode", "normal form C; plain letters for ligatures and letters of full width", "", unicode},
      {"tokenisation", "join the tokens of Moses: it 's ( well @-@ known ) .", "", tokenisation},
      {"glued_sentences", "put a space between two sentences that have none", "", glued_sentences},
      {"bars", "remove |", "Moses clean-corpus-n.perl:108", bars},
      {"spaces", "make all white space one space, and none at the ends",
       "OpusCleaner normalize_whitespace --collapse", spaces<kSplits>},
      {"unicode_spaces", "the same of Unicode's white space, as Perl has it", "Moses clean-corpus-n.perl:110",
       spaces<kSpace>},
      {"trailing_space", "remove white space at the end", "OpusFilter opusfilter.py:355", trailing_space},
      {"quotes", "write all quotation marks as \" and '", "", quotes},
      {"dashes", "write all dashes as -", "", dashes},
      {"final_punctuation", "end a side as the other one, if it has no final punctuation or a stray mark", "",
       nullptr, final_punctuation},
      {"swapped_sides", "swap the sides back if each is in the language of the other", "", nullptr,
       swapped_sides, true},
  });
  return table;
}

const Repair& repair_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Repair& repair : repairs()) {
    if (repair.name == name) return repair;
    known.emplace_back(repair.name);
  }
  const std::string meant = nearest(name, known);
  throw UsageError(concat("unknown repair '", name, "'",
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?"),
                          " (docs/cleaning.md lists all)"));
}

}  // namespace gloss
