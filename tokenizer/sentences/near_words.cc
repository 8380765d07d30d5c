// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/near_words.h"

#include <algorithm>
#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"
#include "tokenizer/sentences/word_shapes.h"

namespace gloss {
namespace {

/// Abbreviations have at most this many parts with spaces between them ("i. d. R.").
constexpr int kMostParts = 4;
/// Longer tokens are no words.
constexpr std::size_t kLongestToken = 60;

}  // namespace

std::size_t NearWords::word_end(std::size_t at) const {
  const std::size_t first = at;
  if (at + 1 < line_.size() && line_[at] == '-' && !is_number(line_[at + 1])) return at;  // a dash
  const auto in_word = [](char32_t c) {
    return is_letter(c) || is_number(c) || c == '\'' || c == U'’' || c == '-';
  };
  while (at < line_.size() && at - first < kLongestToken && in_word(line_[at])) ++at;
  return at;
}

std::size_t NearWords::word_after(std::size_t at) const {
  if (at < line_.size() && is_dash(line_[at])) {
    std::size_t word = at + 1;
    const std::size_t latest = std::min(line_.size(), at + kLongestToken);
    while (word < latest && (line_[word] == ' ' || is_opening(line_[word]))) ++word;
    // A small letter continues the sentence: "— Stop! — he cried."
    if (word < line_.size() && is_upper_case(line_[word])) return word;
  }
  const std::size_t latest = std::min(line_.size(), at + kLongestToken);  // keeps time linear
  while (at < latest && is_opening(line_[at])) ++at;
  // French sets a space after the mark that opens a quotation.
  if (at > 0 && (line_[at - 1] == U'«' || line_[at - 1] == U'‹')) {
    std::size_t word = at;
    while (word < latest && is_space(line_[word])) ++word;
    if (word < line_.size() && is_letter(line_[word])) return word;
  }
  return at;
}

bool NearWords::is_hyphen_item(std::size_t at) const {
  return at + 2 < line_.size() && line_[at] == '-' && line_[at + 1] == ' ';
}

bool NearWords::is_small(std::size_t word) const {
  if (word >= line_.size() || !is_lower_case(line_[word])) return false;
  return word + 1 >= line_.size() || !is_upper_case(line_[word + 1]);
}

NearWords::Both NearWords::around(const SentenceEnd& end) const {
  Both words;
  std::size_t first = end.marks;
  while (first > end.sentence && end.marks - first < kLongestToken && !is_space(line_[first - 1])) --first;
  words.first_in_sentence = first == end.sentence;
  while (first < end.marks && is_opening(line_[first])) ++first;
  for (std::size_t i = first; i < end.marks; ++i) words.last += line_[i];
  words.last_marked = line_.text(first, end.marks + 1);
  words.small_letters = is_small(word_after(end.sentence)) && words.last.size() > 1 &&
                        std::ranges::all_of(words.last, is_letter) &&
                        !rules_.has_abbreviation_of_capitals(words.last_marked);
  const bool item = is_hyphen_item(end.sentence) && is_hyphen_item(end.next);
  std::size_t next = word_after(item ? end.next + 2 : end.next);
  const bool tag = next + 1 < line_.size() && (line_[next] == '#' || line_[next] == '@');
  if (tag) ++next;
  const std::size_t after = word_end(next);
  words.next = line_.text(next, after);
  if (after == next) return words;
  words.next_letter = line_[next];
  words.next_lower = is_small(next) && !tag && !item;
  return words;
}

std::string NearWords::before(std::size_t end, int number) const {
  std::size_t first = end;
  std::string tokens;
  for (int token = 0; token < number && first > 0; ++token) {
    while (first > 0 && is_space(line_[first - 1])) --first;
    const std::size_t last = first;
    while (first > 0 && last - first < kLongestToken && !is_space(line_[first - 1])) --first;
    std::size_t word = first;
    while (word < last && is_opening(line_[word])) ++word;
    tokens.insert(0, line_.text(word, last));
  }
  return tokens;
}

std::string NearWords::after(std::size_t begin, int number) const {
  std::string tokens;
  std::size_t at = begin;
  for (int token = 0; token < number && at < line_.size(); ++token) {
    while (at < line_.size() && is_space(line_[at])) ++at;
    const std::size_t first = at;
    while (at < line_.size() && at - first < kLongestToken && !is_space(line_[at])) ++at;
    tokens += line_.text(first, at);
  }
  // "z. | B.": what follows the abbreviation does not belong to it.
  while (!tokens.empty() && tokens.back() != '.' &&
         std::string_view(",;:)]\"'!?").find(tokens.back()) != std::string_view::npos) {
    tokens.pop_back();
  }
  return tokens;
}

bool NearWords::last_are(SentenceWord kind, const SentenceEnd& end) const {
  for (int number = 1; number <= kMostParts; ++number) {
    const std::string words = before(end.marks + 1, number);
    if (words.size() > kLongestToken) return false;
    if (rules_.has(kind, words) || (number == 1 && rules_.has_end_of(kind, words))) return true;
  }
  return false;
}

std::optional<SentenceWord> NearWords::last_abbreviation(const SentenceEnd& end) const {
  std::optional<SentenceWord> longest;
  std::string shorter;
  for (int number = 1; number <= kMostParts; ++number) {
    const std::string words = before(end.marks + 1, number);
    if (words == shorter || words.size() > kLongestToken) break;
    for (const SentenceWord kind : {SentenceWord::abbreviation, SentenceWord::title}) {
      if (rules_.has(kind, words) || (number == 1 && rules_.has_end_of(kind, words))) longest = kind;
    }
    shorter = words;
  }
  return longest;
}

bool NearWords::inside_abbreviation(const SentenceEnd& end) const {
  if (end.closing < end.space) return false;
  for (int number = 1; number < kMostParts; ++number) {
    const std::string first = before(end.space, number);
    for (int following = 1; number + following <= kMostParts; ++following) {
      const std::string whole = first + after(end.next, following);
      for (const SentenceWord kind :
           {SentenceWord::title, SentenceWord::abbreviation, SentenceWord::before_number}) {
        if (rules_.has(kind, whole)) return true;
      }
    }
  }
  return false;
}

bool NearWords::are_label(const SentenceEnd& end, const Both& words) const {
  if (words.first_in_sentence || !is_item_number(words.last)) return false;
  std::size_t space = end.marks - words.last.size();
  while (space > end.sentence && is_space(line_[space - 1])) --space;
  // Labels are short, and so is the search for the beginning of the sentence.
  if (space - end.sentence > kLongestToken) return false;
  return rules_.has(SentenceWord::label, line_.text(end.sentence, space));
}

}  // namespace gloss
