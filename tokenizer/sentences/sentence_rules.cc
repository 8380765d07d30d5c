// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "base/lines.h"
#include "base/shown.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/characters.h"
#include "tokenizer/sentences/built_in_rules.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {
namespace {

constexpr auto kKinds =
    std::to_array<const char*>({"title", "abbreviation", "before-number", "name", "first", "unmarked",
                                "unmarked-always", "before-ordinal", "month", "speech", "pause",
                                "after-quotation", "ordinary", "before-letter", "label", "smiley"});
static_assert(kKinds.size() == kSentenceWords);

/// The words of a line, separated by white space.
std::vector<std::string> words_of(std::string_view line) {
  std::string spaced(line);
  std::replace(spaced.begin(), spaced.end(), '\t', ' ');
  std::vector<std::string> words = split(spaced, ' ');
  std::erase(words, "");
  return words;
}

/// Throws InputError for words that have no effect because they have no mark that could end a sentence.
void expect_mark(SentenceWord meaning, const char* kind, const std::string& word) {
  static constexpr auto kMarked =
      std::to_array<SentenceWord>({SentenceWord::title, SentenceWord::abbreviation,
                                   SentenceWord::before_number, SentenceWord::ordinary, SentenceWord::name});
  if (std::ranges::find(kMarked, meaning) == kMarked.end()) return;
  if (std::ranges::any_of(code_points(word), is_end_mark)) return;
  if (meaning == SentenceWord::name)
    throw InputError(
        concat("found the ", kind, " ", shown(word), ", expected its mark, as in '", word, "!'"));
  throw InputError(
      concat("found ", shown(word), " of the kind ", kind, ", expected a full stop: '", word, ".'"));
}

/// The word with its first letter in lower case; the rest stays.
std::string without_capital(std::string_view word) {
  const std::size_t first = character_size(word);
  return lower_case(word.substr(0, first)) + std::string(word.substr(first));
}

}  // namespace

SentenceRules SentenceRules::of_language(std::string_view language) {
  SentenceRules rules;
  for (const BuiltInRules& built_in : built_in_rules()) {
    const bool for_all = built_in.language.empty();
    if (for_all || built_in.language == language) rules.add(built_in.text, "the rules of gloss");
  }
  return rules;
}

std::vector<std::string> SentenceRules::languages() {
  std::vector<std::string> languages;
  for (const BuiltInRules& built_in : built_in_rules()) {
    if (!built_in.language.empty()) languages.emplace_back(built_in.language);
  }
  std::ranges::sort(languages);
  return languages;
}

void SentenceRules::add(std::string_view text, const std::string& name) {
  std::int64_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    try {
      add_line(trimmed(line));
    } catch (const InputError& error) {
      throw InputError(concat(name, ":", number, ": ", error.what()));
    }
  }
}

void SentenceRules::add_file(const std::string& path) {
  std::string text;
  std::int64_t number = 0;
  for (const std::string& line : read_lines(path)) {
    ++number;
    if (!is_valid_utf8(line)) {
      throw InputError(
          concat(path, ":", number, ": found bytes that are not UTF-8; convert the file with iconv"));
    }
    text += line + "\n";
  }
  add(text, path);
}

void SentenceRules::add_line(std::string_view line) {
  if (line.empty() || line.front() == '#') return;
  const std::vector<std::string> words = words_of(line);
  const auto* const kind = std::ranges::find(kKinds, words.front());
  if (kind == kKinds.end()) {
    throw InputError(concat("found ", shown(words.front()), ", expected one of ",
                            join({kKinds.begin(), kKinds.end()}, ", "), ", followed by words"));
  }
  if (words.size() == 1) throw InputError(concat("found ", shown(words.front()), " without words after it"));
  const auto meaning = static_cast<SentenceWord>(kind - kKinds.begin());
  for (auto word = words.begin() + 1; word != words.end(); ++word) expect_mark(meaning, *kind, *word);
  of(meaning).insert(words.begin() + 1, words.end());
}

bool SentenceRules::has(SentenceWord kind, std::string_view word) const {
  if (word.empty()) return false;
  return of(kind).contains(word) || of(kind).contains(without_capital(word));
}

bool SentenceRules::has_end_of(SentenceWord kind, std::string_view word) const {
  const std::size_t part = word.find_last_of("-/");
  if (part != std::string_view::npos && has(kind, word.substr(part + 1))) return true;
  constexpr std::size_t kShortest = 3;  // not "s." of "it's."
  for (const std::string_view apostrophe : {"'", "’"}) {
    const std::size_t elided = word.rfind(apostrophe);
    if (elided == std::string_view::npos) continue;
    const std::string_view rest = word.substr(elided + apostrophe.size());
    if (rest.size() >= kShortest && has(kind, rest)) return true;
  }
  // The listed ends stand together in the order of the set, since all begin with '-'.
  for (auto end = of(kind).lower_bound("-"); end != of(kind).end() && end->front() == '-'; ++end) {
    if (word.size() > end->size() && word.ends_with(std::string_view(*end).substr(1))) return true;
  }
  return false;
}

bool SentenceRules::has_abbreviation_of_capitals(std::string_view word) const {
  std::string capital(word);
  if (!capital.empty() && capital.front() >= 'a' && capital.front() <= 'z') {
    capital.front() = static_cast<char>(capital.front() - 'a' + 'A');
  }
  if (has(SentenceWord::ordinary, capital)) return false;
  return has(SentenceWord::title, capital) || has(SentenceWord::abbreviation, capital);
}

bool SentenceRules::has_ordinals() const { return !of(SentenceWord::before_ordinal).empty(); }

}  // namespace gloss
