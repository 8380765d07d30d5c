// SPDX-License-Identifier: Apache-2.0
// Rules about the characters of a side.
#include <algorithm>
#include <array>

#include "pipeline/cleaning/language_letters.h"
#include "pipeline/cleaning/rule.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

double share(std::size_t part, std::size_t all, double of_nothing) {
  return all == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(all);
}

double alphabetic(const SideText& side, const RuleSetup&, Side) {
  return share(side.count(kAlphabetic), side.size(), 1);
}
double alphabetic_of_visible(const SideText& side, const RuleSetup&, Side) {
  return share(side.count(kAlphabetic), side.size() - side.count(kSpace), 1);
}
/// hardrules allows 70 % rather than 50 % where words have no spaces between.
double digits(const SideText& side, const RuleSetup& setup, Side which) {
  const double found = share(side.count(kDigit), side.size(), 0);
  return has_no_spaces(setup.language(which)) ? found * 5 / 7 : found;
}
double punctuation(const SideText& side, const RuleSetup&, Side) {
  return share(side.count(kPunctuation | kSymbol), side.size() - side.count(kSpace), 0);
}
double capitals(const SideText& side, const RuleSetup&, Side) {
  return share(side.count(kUpper), side.count(kLetter), 0);
}
double control(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(side.count(kControl));
}
double format(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(side.count(kFormat));
}
double replacement(const SideText& side, const RuleSetup&, Side) {
  return static_cast<double>(std::ranges::count(side.characters, char32_t{0xFFFD}));
}
/// OpusFilter's RegExpFilter in the recorded settings.
double unwanted(const SideText& side, const RuleSetup& setup, Side which) {
  return static_cast<double>(side.count(kControl | kFormat | kPrivate)) + replacement(side, setup, which);
}

/// The script of a side: that of the setting's text, else of the language, else Latin.
std::uint32_t script_for(const RuleSetup& setup, Side which) {
  if (!setup.text.empty()) return script_named(setup.text);
  const std::string language(setup.language(which));
  const std::uint32_t script = language.empty() ? 0 : script_named(language);
  static const std::uint32_t latin = script_named("Latin");
  return script == 0 ? latin : script;
}
double script_share(const SideText& side, const RuleSetup& setup, Side which) {
  const std::uint32_t script = script_for(setup, which);
  std::size_t letters = 0, own = 0;
  for (const std::uint32_t found : side.classes) {
    if ((found & kAlphabetic) == 0) continue;
    ++letters;
    own += script_of(found) == script ? 1 : 0;
  }
  return share(own, letters, 1);
}

/// Words that mix letters of scripts that look alike.
double mixed_scripts(const SideText& side, const RuleSetup&, Side) {
  if (side.is_ascii()) return 0;
  static const auto alike = std::to_array<std::uint32_t>(
      {script_named("Latin"), script_named("Cyrillic"), script_named("Greek"), script_named("Armenian")});
  std::size_t words = 0;
  for (const TextPart& word : side.words) {
    std::uint32_t first = 0;
    bool mixed = false;
    for (std::size_t i = word.begin; i < word.end; ++i) {
      if (!side.has(i, kLetter)) {
        first = 0;  // the parts of a compound may differ
        continue;
      }
      const std::uint32_t script = script_of(side.classes[i]);
      if (std::ranges::count(alike, script) == 0) continue;
      mixed |= first != 0 && script != first;
      first = script;
    }
    words += mixed ? 1 : 0;
  }
  return static_cast<double>(words);
}

double letters_of_language(const SideText& side, const RuleSetup& setup, Side which) {
  return letter_shares(side, setup.language(which)).characters;
}
double words_of_language(const SideText& side, const RuleSetup& setup, Side which) {
  return letter_shares(side, setup.language(which)).words;
}

/// hardrules: characters of U+0080-00FF in a row, of which noise has three.
double latin1_run(const SideText& side, const RuleSetup& setup, Side which) {
  std::size_t most = 0, run = 0;
  for (const char32_t c : side.characters) {
    run = c >= 0x80 && c <= 0xFF ? run + 1 : 0;
    most = std::max(most, run);
  }
  const std::string_view language = setup.language(which);
  constexpr std::size_t kUsual = 4;  // more such letters in a row in words of these languages
  if (language == "is" || language == "fi" || language == "az") most -= std::min(most, kUsual);
  return static_cast<double>(most);
}

}  // namespace

std::span<const Rule> character_rules() {
  static const auto table = std::to_array<Rule>({
      {"alphabetic_share",
       "alphabetic characters / all characters; of an empty side 1",
       "OpusFilter AlphabetRatioFilter",
       {.at_least = 0.75},
       alphabetic},
      {"visible_alphabetic_share",
       "alphabetic characters / characters but white space; of an empty side 1",
       "OpusFilter AlphabetRatioFilter exclude_whitespace",
       {.at_least = 0.5},
       alphabetic_of_visible},
      {"script_share",
       "alphabetic characters in the script of the language (\"text\" names another one)",
       "OpusFilter CharacterScoreFilter",
       {.at_least = 1},
       script_share},
      {"mixed_scripts",
       "words with letters of two scripts that look alike, such as Latin and Cyrillic",
       "",
       {.at_most = 0},
       mixed_scripts},
      {"language_letters",
       "letters of the language / characters but U+0020",
       "OpusCleaner alpha_ratio",
       {.at_least = 0.5},
       letters_of_language,
       nullptr,
       Rule::Needs::languages},
      {"language_words",
       "words that begin with a letter of the language / words",
       "OpusCleaner alpha_ratio",
       {.at_least = 0.4},
       words_of_language,
       nullptr,
       Rule::Needs::languages},
      {"letter_share",
       "alphabetic characters / all characters; of an empty side 1",
       "hardrules no_only_symbols",
       {.above = 0.1},
       alphabetic},
      {"digit_share",
       "decimal digits / all characters; of zh, ja and ko 5/7 of it",
       "hardrules no_only_numbers",
       {.below = 0.5},
       digits},
      {"punctuation_share",
       "punctuation and symbols / characters but white space",
       "",
       {.at_most = 0.4},
       punctuation},
      {"capital_share", "capital letters / letters", "", {.at_most = 0.6}, capitals},
      {"control_characters", "control characters", "", {.at_most = 0}, control},
      {"format_characters",
       "characters without width, marks of direction and other format characters",
       "",
       {.at_most = 0},
       format},
      {"replacement_characters", "U+FFFD, which replaces invalid UTF-8", "", {.at_most = 0}, replacement},
      {"unwanted_characters",
       "control, format and private characters, and U+FFFD",
       "OpusFilter RegExpFilter",
       {.at_most = 0},
       unwanted},
      {"latin1_run",
       "characters U+0080 to U+00FF in a row; 4 fewer of is, fi and az",
       "hardrules no_unicode_noise",
       {.at_most = 2},
       latin1_run},
  });
  return table;
}

}  // namespace gloss
