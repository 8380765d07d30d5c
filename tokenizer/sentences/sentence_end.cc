// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_end.h"

#include <algorithm>
#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {
namespace {

/// Abbreviations have at most this many parts with spaces between them ("i. d. R.").
constexpr int kMostParts = 4;
/// Longer tokens are no words; longer brackets are taken for unclosed ones.
constexpr std::size_t kLongestToken = 60, kLongestBracket = 400;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

bool is_roman_number(const std::u32string& word) {
  return !word.empty() && word.find_first_not_of(U"IVXLCDM") == std::u32string::npos;
}

bool is_whole_number(const std::u32string& word) {
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

/// "1.", "1.2.", "a.", "IV.": what precedes an item of a list or a heading.
bool is_item_number(const std::u32string& word) {
  constexpr std::size_t kLongest = 3;
  std::size_t part = 0;  // its length
  for (const char32_t c : word) {
    if (c == '.') {
      part = 0;
    } else if (!is_digit(c) || ++part > kLongest) {
      return word.size() == 1 ? is_letter(word.front()) : is_roman_number(word);
    }
  }
  return !word.empty();
}

/// Single letters with full stops between them: "J", "U.S".
bool is_initials(const std::u32string& word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 0 ? !is_letter(word[i]) : word[i] != '.') return false;
  }
  return word.size() % 2 == 1;
}

}  // namespace

struct SentenceEnds::Words {
  std::u32string last;       ///< the word before the marks, without opening marks
  std::string last_marked;   ///< with the first mark
  bool first_in_sentence;    ///< `last` is its first word
  std::string next;          ///< the next word; empty if there are only marks
  char32_t next_letter = 0;  ///< its first letter or digit
  bool next_lower = false;   ///< which is a small letter, but not of a word like "iPhone"
};

SentenceEnds::Words SentenceEnds::words_around(const SentenceEnd& end) const {
  Words words;
  std::size_t first = end.marks;
  while (first > end.sentence && end.marks - first < kLongestToken && !is_space(line_[first - 1])) --first;
  words.first_in_sentence = first == end.sentence;
  while (first < end.marks && is_opening(line_[first])) ++first;
  for (std::size_t i = first; i < end.marks; ++i) words.last += line_[i];
  words.last_marked = line_.text(first, end.marks + 1);
  std::size_t next = end.next;
  while (next < line_.size() && is_opening(line_[next])) ++next;
  std::size_t after = next;
  const auto in_word = [&](char32_t c) {
    return is_letter(c) || is_number(c) || c == '\'' || c == U'’' || c == '-';
  };
  while (after < line_.size() && after - next < kLongestToken && in_word(line_[after])) ++after;
  words.next = line_.text(next, after);
  if (after == next) return words;
  words.next_letter = line_[next];
  const bool capital_inside = after - next > 1 && is_upper_case(line_[next + 1]);
  words.next_lower = is_lower_case(words.next_letter) && !capital_inside;
  return words;
}

bool SentenceEnds::ends(const SentenceEnd& end) const {
  if (end.space == end.next) return ends_without_space(end);
  const char32_t mark = line_[end.marks], next = line_[end.next];
  if (is_end_mark_without_space(mark)) return ends_without_space(end);
  if (std::u32string_view(U",;:)]}").find(next) != std::u32string_view::npos) return false;
  if (end.marks > end.sentence && end.closing < end.space && is_opening_bracket(line_[end.marks - 1]))
    return false;
  if (in_brackets(end)) return false;
  const Words words = words_around(end);
  if (mark == U'…' || (end.closing - end.marks > 1 && mark == '.' && line_[end.marks + 1] != '!' &&
                       line_[end.marks + 1] != '?')) {
    return after_ellipsis(end, words);
  }
  if (mark == '.') return after_full_stop(end, words);
  if (mark == '?' || mark == '!') return after_question(end, words);
  return end.unicode;
}

bool SentenceEnds::ends_without_space(const SentenceEnd& end) const {
  if (!is_end_mark_without_space(line_[end.marks])) return line_[end.marks] >= 0x80 && end.unicode;
  if (end.closing == end.space) return true;
  constexpr std::size_t kLongestWord = 4, kSpeechWithin = 8;
  for (std::size_t size = 1; size <= kLongestWord && end.next + size <= line_.size(); ++size) {
    if (rules_.has(SentenceWord::after_quotation, line_.text(end.next, end.next + size))) return false;
  }
  for (std::size_t at = end.next; at < std::min(line_.size(), end.next + kSpeechWithin); ++at) {
    if (!is_letter(line_[at])) return true;
    if (rules_.has(SentenceWord::speech, line_.text(at, at + 1))) return false;
  }
  return true;
}

bool SentenceEnds::ends_unmarked(std::size_t sentence, std::size_t next) const {
  if (!is_upper_case(line_[next])) return false;
  std::size_t after = next;
  while (after < line_.size() && is_letter(line_[after])) ++after;
  const std::string_view word = line_.text(next, after);
  if (after + 1 >= line_.size() || line_[after] != ' ' || !is_letter(line_[after + 1])) return false;
  if (!rules_.has(SentenceWord::unmarked_always, word) &&
      !(rules_.has(SentenceWord::unmarked, word) && is_lower_case(line_[after + 1]))) {
    return false;
  }
  if (rules_.has(SentenceWord::before_ordinal, tokens_before(next, 1))) return false;  // a noun or name follows
  // Names have such words too ("at The old inn"): short parts stay together.
  constexpr int kLeastWords = 4;
  return words_from(sentence, next) >= kLeastWords && words_from(next, line_.size()) >= kLeastWords;
}

int SentenceEnds::words_from(std::size_t first, std::size_t last) const {
  constexpr int kEnough = 8;
  int words = 0;
  for (std::size_t at = first; at < last && words < kEnough; ++at) {
    if (is_end_mark(line_[at])) break;
    words += is_letter(line_[at]) && (at == first || is_space(line_[at - 1]));
  }
  return words;
}

bool SentenceEnds::after_full_stop(const SentenceEnd& end, const Words& words) const {
  const bool begins = rules_.has(SentenceWord::first, words.next) && is_upper_case(words.next_letter);
  if (inside_abbreviation(end) || last_words_are(SentenceWord::title, end)) return false;
  const bool number_follows = is_number(words.next_letter) || is_roman_number(code_points(words.next));
  if (number_follows && last_words_are(SentenceWord::before_number, end)) return false;
  if (last_words_are(SentenceWord::abbreviation, end)) return begins;
  if (words.first_in_sentence && end.closing == end.space && is_item_number(words.last)) return false;
  if (is_whole_number(words.last)) return after_number(end, words);
  if (rules_.has_ordinals() && words.last.size() > 1 && is_roman_number(words.last)) return begins;
  if (is_initials(words.last)) return begins;
  if (words.next_lower) return between_items(end);
  return end.unicode || words.next_letter != 0;
}

bool SentenceEnds::after_number(const SentenceEnd& end, const Words& words) const {
  if (words.next_lower) return between_items(end);
  const std::string before = tokens_before(end.marks - words.last.size(), 1);
  if (before.ends_with(':') || (before.ends_with(',') && is_item_number(words.last)))
    return false;  // an item
  if (!rules_.has_ordinals()) return true;
  if (in_date(end)) return false;
  if (rules_.has(SentenceWord::month, words.next)) return false;
  if (rules_.has(SentenceWord::first, words.next)) return true;
  return !rules_.has(SentenceWord::before_ordinal, before);
}

bool SentenceEnds::between_items(const SentenceEnd& end) const {
  const auto item = [this](std::size_t at) {
    return at + 1 < line_.size() && is_letter(line_[at]) && (line_[at + 1] == '.' || line_[at + 1] == ')');
  };
  return item(end.sentence) && item(end.next);
}

bool SentenceEnds::in_date(const SentenceEnd& end) const {
  const auto is_day = [](const std::string& token) {
    return token.size() >= 2 && token.size() <= 3 && token.back() == '.' &&
           is_whole_number(code_points(std::string_view(token).substr(0, token.size() - 1)));
  };
  const std::string month = tokens_before(end.marks + 1, 1), next = tokens_after(end.next, 1);
  if (!is_day(month)) return false;
  const std::u32string year = code_points(next).substr(0, 4);
  const std::size_t first = end.marks + 1 - month.size();
  return is_day(next) || (is_day(tokens_before(first, 1)) && year.size() == 4 && is_whole_number(year));
}

bool SentenceEnds::after_ellipsis(const SentenceEnd& end, const Words& words) const {
  if (words.last.empty() && end.marks == end.sentence) return false;
  if (words.first_in_sentence && rules_.has(SentenceWord::pause, line_.text(end.sentence, end.marks)))
    return false;
  if (words.next_lower || tokens_before(end.marks, 1) == words.next)
    return false;  // also "I... I do not know"
  return end.unicode || is_upper_case(words.next_letter) ||
         (words.next_letter != 0 && is_number(words.next_letter));
}

bool SentenceEnds::after_question(const SentenceEnd& end, const Words& words) const {
  if (rules_.has(SentenceWord::name, words.last_marked)) {
    return rules_.has(SentenceWord::first, words.next) && is_upper_case(words.next_letter);
  }
  const bool closed = end.closing < end.space;
  if (words.next_lower && (closed || words.first_in_sentence)) return false;
  if (closed && speech_follows(end)) return false;
  return end.unicode || words.next_letter != 0;
}

bool SentenceEnds::speech_follows(const SentenceEnd& end) const {
  if (!is_either_way(line_[end.space - 1]) && line_[end.space - 1] != U'」') return false;
  constexpr int kWithin = 3;
  std::size_t at = end.next;
  for (int word = 0; word < kWithin; ++word) {
    const std::size_t first = at;
    while (at < line_.size() && is_letter(line_[at])) ++at;
    const std::string_view text = line_.text(first, at);
    if (word == 0 && rules_.has(SentenceWord::first, text)) return false;
    if (word > 0 && rules_.has(SentenceWord::speech, text) && is_lower_case(line_[first])) return true;
    if (at >= line_.size() || line_[at] != ' ') return false;
    ++at;
  }
  return false;
}

bool SentenceEnds::inside_abbreviation(const SentenceEnd& end) const {
  if (end.closing < end.space) return false;
  for (int before = 1; before < kMostParts; ++before) {
    const std::string first = tokens_before(end.space, before);
    for (int after = 1; before + after <= kMostParts; ++after) {
      const std::string whole = first + tokens_after(end.next, after);
      for (const SentenceWord kind :
           {SentenceWord::title, SentenceWord::abbreviation, SentenceWord::before_number}) {
        if (rules_.has(kind, whole)) return true;
      }
    }
  }
  return false;
}

bool SentenceEnds::last_words_are(SentenceWord kind, const SentenceEnd& end) const {
  for (int number = 1; number <= kMostParts; ++number) {
    const std::string words = tokens_before(end.marks + 1, number);
    if (words.size() > kLongestToken) return false;
    if (rules_.has(kind, words) || (number == 1 && rules_.has_end_of(kind, words))) return true;
  }
  return false;
}

bool SentenceEnds::in_brackets(const SentenceEnd& end) const {
  int closed = 0;
  std::size_t at = end.space;
  const std::size_t earliest = std::max(end.sentence + kLongestBracket, end.space) - kLongestBracket;
  for (; at > earliest; --at) {
    const char32_t c = line_[at - 1];
    if (is_closing_bracket(c)) ++closed;
    if (is_opening_bracket(c) && --closed < 0) break;
  }
  if (at <= earliest || at - 1 == end.sentence) return false;
  int open = 1;
  const std::size_t latest = std::min(line_.size(), end.next + kLongestBracket);
  for (std::size_t later = end.space; later < latest; ++later) {
    if (is_opening_bracket(line_[later])) ++open;
    if (is_closing_bracket(line_[later]) && --open == 0) return true;
  }
  return false;
}

std::string SentenceEnds::tokens_before(std::size_t end, int number) const {
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

std::string SentenceEnds::tokens_after(std::size_t begin, int number) const {
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

}  // namespace gloss
