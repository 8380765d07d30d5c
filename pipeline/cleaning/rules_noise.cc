// SPDX-License-Identifier: Apache-2.0
// Rules about what does not belong into a side: markup, code, repetitions, remains of pages and of encodings.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "pipeline/cleaning/known_phrases.h"
#include "pipeline/cleaning/markup.h"
#include "pipeline/cleaning/repetition.h"
#include "pipeline/cleaning/rule.h"
#include "pipeline/cleaning/urls.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

double number(std::size_t count) { return static_cast<double>(count); }

/// How often a text occurs.
std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

double opening_tags(const SideText& side, const RuleSetup&, Side) {
  return has_opening_tag(side.characters) ? 1 : 0;
}
double markup(const SideText& side, const RuleSetup&, Side) {
  return side.has_byte('<') ? number(markup_count(side.bytes)) : 0;
}
double entities(const SideText& side, const RuleSetup&, Side) {
  return side.has_byte('&') ? number(entity_count(side.bytes)) : 0;
}

double repetitions(const SideText& side, const RuleSetup&, Side) { return number(repeated_units(side)); }
double repeated_phrases(const SideText& side, const RuleSetup& setup, Side which) {
  return number(repeated_phrase_count(side, setup.language(which)));
}
double repeated_words(const SideText& side, const RuleSetup&, Side) {
  return number(words_of_repetition(side));
}
/// Three marks in a row are already one too many, except points, hyphens and exclamation marks.
double character_run(const SideText& side, const RuleSetup&, Side) {
  std::size_t most = 0, run = 0;
  for (std::size_t i = 0; i < side.size(); ++i) {
    const char32_t c = side.characters[i];
    const bool same = i > 0 && c == side.characters[i - 1];
    run = same && !side.has(i, kDigit | kSplits) ? run + 1 : 1;
    const bool mark = run > 2 && side.has(i, kPunctuation | kSymbol) && c != U'.' && c != U'-' && c != U'!';
    most = std::max(most, run + (mark ? 1 : 0));
  }
  return number(most);
}

/// hardrules: capitals that lower-case letters follow, within one run of letters.
double glued_words(const SideText& side, const RuleSetup&, Side) {
  std::size_t most = 0, parts = 0;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (!side.has(i, kAlphabetic)) parts = 0;
    if (side.has(i, kUpper) && i + 1 < side.size() && side.has(i + 1, kLower)) most = std::max(most, ++parts);
  }
  return number(most);
}
/// Words of three letters and more, joined without a space: a capital within a word, after and before small
/// letters.
double joined_words(const SideText& side, const RuleSetup&, Side) {
  constexpr std::size_t kShortest = 3;
  std::size_t joints = 0;
  for (const TextPart& word : side.words) {
    std::size_t small = 0;  // letters in a row before
    for (std::size_t i = word.begin; i < word.end; ++i) {
      if (side.has(i, kUpper) && small >= kShortest) {
        std::size_t after = i + 1;
        while (after < word.end && side.has(after, kLower)) ++after;
        if (after - i >= kShortest) ++joints;
      }
      small = side.has(i, kLower) ? small + 1 : 0;
    }
  }
  return number(joints);
}

double space_noise(const SideText& side, const RuleSetup&, Side) {
  // From the end: the pairs of a space and another character that begin here and end before a space.
  std::size_t most = 0, next = 0, after_next = 0;
  for (std::size_t i = side.size() < 3 ? 0 : side.size() - 2; i-- > 0;) {
    const bool pair =
        side.characters[i] == U' ' && !side.has(i + 1, kDigit) && side.characters[i + 2] == U' ';
    const std::size_t pairs = pair ? after_next + 1 : 0;
    most = std::max(most, pairs);
    after_next = next;
    next = pairs;
  }
  return number(most);
}

bool is_one_of(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }

/// Marks of a navigation path, in two kinds.
double breadcrumbs(const SideText& side, const RuleSetup&, Side) {
  std::size_t first = 0, second = 0;
  const auto& text = side.characters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool apart = i > 0 && i + 1 < text.size() && text[i - 1] == U' ' && text[i + 1] == U' ';
    if (is_one_of(text[i], U"<>*") || (apart && is_one_of(text[i], U"-/:"))) ++first;
    if (is_one_of(text[i], U"|→←•·¬") || (apart && text[i] == U'»')) ++second;
  }
  return std::min(number(first) / 3, number(second) / 2);
}
double separators(const SideText& side, const RuleSetup&, Side) {
  if (side.is_ascii() && !side.has_byte('|') && !side.has_byte('>')) return 0;
  const auto& text = side.characters;
  std::size_t count = 0;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i - 1] == U' ' && text[i + 1] == U' ' && is_one_of(text[i], U"|>•·→←¦")) ++count;
  }
  return number(count);
}
double boilerplate(const SideText& side, const RuleSetup&, Side) {
  return number(boilerplate_count(side.bytes));
}
double code(const SideText& side, const RuleSetup&, Side) { return number(code_signs(side.bytes)); }
double url_share(const SideText& side, const RuleSetup&, Side) { return share_of_urls(side); }
double urls(const SideText& side, const RuleSetup&, Side) { return number(urls_of(side).size()); }

double literals(const SideText& side, const RuleSetup& setup, Side) {
  static constexpr auto kKnown =
      std::to_array<std::string_view>({"Re:", "{{", "%s", "}}", "+++", "***", "=\""});
  if (!setup.text.empty()) return number(occurrences(side.bytes, setup.text));
  std::size_t count = 0;
  for (const std::string_view literal : kKnown) count += occurrences(side.bytes, literal);
  return number(count);
}
double patterns(const SideText& side, const RuleSetup& setup, Side) {
  return number(setup.pattern->matches(side.bytes).size());
}

bool is_hexadecimal(char32_t c) { return is_one_of(c, U"0123456789abcdefABCDEF"); }
double escaped_characters(const SideText& side, const RuleSetup&, Side) {
  const auto& text = side.characters;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 3 < text.size(); ++i) {
    if (text[i] != U'\\' || !is_one_of(text[i + 1], U"xu")) continue;
    count += is_hexadecimal(text[i + 2]) && is_hexadecimal(text[i + 3]) ? 1 : 0;
  }
  return number(count);
}
/// hardrules: Ã and Â, where the language has no such letters.
double encoding_marks(const SideText& side, const RuleSetup& setup, Side which) {
  static constexpr auto kCircumflex =
      std::to_array<std::string_view>({"cy", "fr", "fa", "it", "pt", "tr", "vi", "lij", "ro"});
  const std::string_view language = setup.language(which);
  std::size_t count = 0;
  for (const char32_t c : side.characters) {
    count += c == U'Ã' && language != "pt" ? 1 : 0;
    count += c == U'Â' && std::ranges::count(kCircumflex, language) == 0 ? 1 : 0;
  }
  return number(count);
}
/// UTF-8 that was read as Latin-1 or CP1252 begins with such a letter, and a character that is no letter
/// follows.
double mojibake(const SideText& side, const RuleSetup&, Side) {
  if (side.is_ascii()) return 0;
  const auto& text = side.characters;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] < 0x80 || !is_one_of(text[i], U"ÃÂâÐÑÎÏÅÄÙØ")) continue;
    const char32_t next = text[i + 1];
    count += (next >= 0x80 && next <= 0xBF) || is_one_of(next, U"€‚ƒ„…†‡ˆ‰‹‘’“”•–—˜™š›œ") ? 1 : 0;
  }
  return number(count);
}
/// Letters that were lost: '?' within a word, before its first letter, or in the place of a word.
double question_marks(const SideText& side, const RuleSetup& setup, Side which) {
  if (!side.has_byte('?')) return 0;
  const std::vector<TextPart> links = urls_of(side);
  const bool spaced = setup.language(which) == "fr";  // which writes a space before it
  std::size_t count = 0, link = 0;
  for (std::size_t i = 0; i + 1 < side.size(); ++i) {
    if (side.characters[i] != U'?') continue;
    while (link < links.size() && links[link].end <= i) ++link;
    if (link < links.size() && links[link].begin <= i) continue;
    const bool after_space = i == 0 || side.has(i - 1, kSplits), before_space = side.has(i + 1, kSplits);
    const bool within = i > 0 && side.has(i - 1, kLetter) && side.has(i + 1, kLower);
    const bool next = i + 2 < side.size() && side.has(i + 2, spaced ? kLower | kDigit : kLetter | kDigit);
    const bool alone = after_space && ((before_space && next) || side.characters[i + 1] == U'.');
    count += within || alone || (after_space && side.has(i + 1, kLetter)) ? 1 : 0;
  }
  return number(count);
}
/// Marks that do not belong to a pair.
double unbalanced(const SideText& side, const RuleSetup&, Side) {
  static constexpr auto kPairs = std::to_array<std::pair<char32_t, char32_t>>(
      {{U'(', U')'}, {U'[', U']'}, {U'{', U'}'}, {U'⟨', U'⟩'}, {U'«', U'»'}, {U'（', U'）'}, {U'「', U'」'}});
  std::size_t open = 0;
  for (const auto& [begin, end] : kPairs) {
    const auto begins = std::ranges::count(side.characters, begin),
               ends = std::ranges::count(side.characters, end);
    open += static_cast<std::size_t>(begins > ends ? begins - ends : ends - begins);
  }
  return number(open + static_cast<std::size_t>(std::ranges::count(side.characters, U'"')) % 2);
}
double tokenised(const SideText& side, const RuleSetup&, Side) {
  std::size_t count = occurrences(side.bytes, " @-@ ");
  for (const std::string_view mark : {" , ", " . ", " ; ", " ( ", " ) "})
    count += occurrences(side.bytes, mark);
  for (const std::string_view end : {" .", " ?", " !"}) count += side.bytes.ends_with(end) ? 1 : 0;
  return number(count);
}

}  // namespace

std::span<const Rule> noise_rules() {
  static const auto table = std::to_array<Rule>({
      {"opening_tags",
       "1 if there is an opening HTML tag that is complete",
       "OpusFilter HtmlTagFilter",
       {.at_most = 0},
       opening_tags},
      {"markup", "tags, comments and what begins like one", "", {.at_most = 0}, markup},
      {"entities", "entities of HTML, such as &amp;", "", {.at_most = 0}, entities},
      {"repetitions",
       "repetitions of the first unit of 3 to 101 characters that occurs three times in a row",
       "OpusFilter RepetitionFilter",
       {.below = 2},
       repetitions},
      {"repeated_phrases",
       "phrases that occur twice in a row, of more than 7 characters together",
       "hardrules no_repeated_words",
       {.at_most = 0},
       repeated_phrases},
      {"repeated_words", "words that repeat the words before them", "", {.at_most = 1}, repeated_words},
      {"character_run",
       "how often a character that is no digit occurs in a row; one more for marks but . - !",
       "",
       {.at_most = 3},
       character_run},
      {"glued_words",
       "capitals before small letters in one run of letters",
       "hardrules no_glued_words",
       {.at_most = 1},
       glued_words},
      {"joined_words",
       "words of three letters and more that are joined, such as twoWords",
       "",
       {.at_most = 0},
       joined_words},
      {"space_noise",
       "single characters with spaces between them, in a row",
       "hardrules no_space_noise",
       {.at_most = 3},
       space_noise},
      {"breadcrumbs",
       "from 1: three marks of one kind and two of another, as in a path of pages",
       "hardrules no_breadcrumbs",
       {.below = 1},
       breadcrumbs},
      {"separators", "marks between spaces that separate links, such as |", "", {.at_most = 1}, separators},
      {"boilerplate",
       "phrases of web pages, such as those about cookies, in several languages",
       "",
       {.at_most = 0},
       boilerplate},
      {"code", "signs of programs, such as calls and braces", "", {.at_most = 1}, code},
      {"urls", "URLs", "", {.at_most = 0}, urls},
      {"url_share", "characters of URLs / all characters", "", {.at_most = 0.6}, url_share},
      {"literals",
       "literals such as %s and {{ (\"text\" names another one)",
       "hardrules no_literals",
       {.at_most = 0},
       literals},
      {"text", "occurrences of \"text\"", "", {.at_most = 0}, literals, nullptr, Rule::Needs::text},
      {"pattern",
       "matches of the regular expression \"text\"",
       "OpusFilter RegExpFilter",
       {.at_most = 0},
       patterns,
       nullptr,
       Rule::Needs::pattern},
      {"escaped_characters",
       "escapes such as \\u00e4",
       "hardrules no_escaped_unicode",
       {.at_most = 0},
       escaped_characters},
      {"encoding_marks",
       "Ã and Â, where the language does not have them",
       "hardrules no_bad_encoding",
       {.at_most = 0},
       encoding_marks},
      {"mojibake", "beginnings of UTF-8 that was read as Latin-1 or CP1252", "", {.at_most = 0}, mojibake},
      {"question_marks", "'?' in the place of a letter", "", {.at_most = 0}, question_marks},
      {"unbalanced", "brackets and quotes without their other half", "", {.at_most = 0}, unbalanced},
      {"tokenised", "punctuation between spaces, and @-@", "", {.at_most = 1}, tokenised},
  });
  return table;
}

}  // namespace gloss
