// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_ends.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"
#include "tokenizer/sentences/word_shapes.h"

namespace gloss {
namespace {

/// Longer brackets are taken for unclosed ones.
constexpr std::size_t kLongestBracket = 400;

/// The length of the number or letter of an item at `at`, with its mark ("a.", "ii)"); 0: none.
std::size_t item_size(const LineCharacters& line, std::size_t at) {
  constexpr std::size_t kLongest = 5;
  std::u32string number;
  while (at < line.size() && number.size() <= kLongest && is_letter(line[at])) number += line[at++];
  const bool marked = at < line.size() && (line[at] == '.' || line[at] == ')');
  return marked && is_item_number(number) ? number.size() + 1 : 0;
}

}  // namespace

bool SentenceEnds::ends(const SentenceEnd& end) const {
  if (end.space == end.next) return ends_without_space(end);
  const char32_t mark = line_[end.marks], next = line_[end.next];
  if (is_end_mark_without_space(mark)) return ends_without_space(end);
  if (is_one_of(U",;:)]}", next)) return false;
  if (end.marks > end.sentence && end.closing < end.space && is_opening_bracket(line_[end.marks - 1]))
    return false;
  if (in_brackets(end)) return false;
  const NearWords::Both words = words_.around(end);
  if (mark == U'…' || (end.closing - end.marks > 1 && mark == '.' && line_[end.marks + 1] != '!' &&
                       line_[end.marks + 1] != '?')) {
    return after_ellipsis(end, words);
  }
  if (mark == '.') return after_full_stop(end, words);
  if (mark == '?' || mark == '!') return after_question(end, words);
  return end.unicode;
}

bool SentenceEnds::ends_without_space(const SentenceEnd& end) const {
  const char32_t mark = line_[end.marks];
  if (!is_end_mark_without_space(mark)) {
    const bool between_letters = end.marks > end.sentence && is_letter_without_space(line_[end.marks - 1]) &&
                                 is_letter_without_space(line_[end.next]);
    return mark >= 0x80 ? end.unicode : mark != '.' && between_letters;
  }
  if (end.closing == end.space || !is_closing(line_[end.space - 1])) return true;
  if (is_one_of(U"》〉", line_[end.space - 1])) return false;  // the mark belongs to a title
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

bool SentenceEnds::after_full_stop(const SentenceEnd& end, const NearWords::Both& words) const {
  const bool begins = rules_.has(SentenceWord::first, words.next) && is_upper_case(words.next_letter);
  if (words_.inside_abbreviation(end)) return false;
  const bool number_follows = is_number(words.next_letter) || is_roman_number(code_points(words.next));
  if (number_follows && words_.last_are(SentenceWord::before_number, end)) return false;
  if (words.first_in_sentence && !is_quoted(end) && is_item_number(words.last)) return false;
  if (words_.are_label(end, words)) return false;
  if (is_initials(words.last) && rules_.has(SentenceWord::before_letter, word_before(end, words)))
    return !words.next_lower;
  if (!is_ordinary(words)) {
    const std::optional<SentenceWord> kind = words_.last_abbreviation(end);
    if (kind) return *kind == SentenceWord::abbreviation && begins;
  }
  if (is_whole_number(words.last)) return after_number(end, words);
  if (rules_.has_ordinals() && words.last.size() > 1 && is_roman_number(words.last)) return begins;
  if (is_initials(words.last)) return begins;
  if (words.next_lower) return between_items(end) || (words.small_letters && !is_quoted(end));
  return end.unicode || words.next_letter != 0;
}

bool SentenceEnds::is_ordinary(const NearWords::Both& words) const {
  return !words.first_in_sentence && rules_.has(SentenceWord::ordinary, words.last_marked);
}

bool SentenceEnds::is_quoted(const SentenceEnd& end) const {
  return end.closing < end.space && is_closing(line_[end.closing]);
}

std::string SentenceEnds::word_before(const SentenceEnd& end, const NearWords::Both& words) const {
  return words_.before(end.marks - words.last.size(), 1);
}

bool SentenceEnds::after_number(const SentenceEnd& end, const NearWords::Both& words) const {
  if (words.next_lower) return between_items(end);
  const std::string before = word_before(end, words);
  if (before.ends_with(':') || (before.ends_with(',') && is_item_number(words.last)))
    return false;  // an item
  if (!rules_.has_ordinals()) return true;
  if (in_date(end)) return false;
  if (rules_.has(SentenceWord::month, words.next)) return false;
  if (rules_.has(SentenceWord::first, words.next)) return true;
  return !rules_.has(SentenceWord::before_ordinal, before);
}

bool SentenceEnds::between_items(const SentenceEnd& end) const {
  return item_size(line_, end.sentence) > 0 && item_size(line_, end.next) > 0;
}

bool SentenceEnds::in_date(const SentenceEnd& end) const {
  const auto is_day = [](const std::string& token) {
    return token.size() >= 2 && token.size() <= 3 && token.back() == '.' &&
           is_whole_number(code_points(std::string_view(token).substr(0, token.size() - 1)));
  };
  const std::string month = words_.before(end.marks + 1, 1), next = words_.after(end.next, 1);
  if (!is_day(month)) return false;
  const std::u32string year = code_points(next).substr(0, 4);
  const std::size_t first = end.marks + 1 - month.size();
  return is_day(next) || (is_day(words_.before(first, 1)) && year.size() == 4 && is_whole_number(year));
}

bool SentenceEnds::after_ellipsis(const SentenceEnd& end, const NearWords::Both& words) const {
  if (words.last.empty() && end.marks == end.sentence) return false;
  if (words.first_in_sentence && rules_.has(SentenceWord::pause, line_.text(end.sentence, end.marks)))
    return false;
  if (words.next_lower || words_.before(end.marks, 1) == words.next)
    return false;  // also "I... I do not know"
  return end.unicode || is_upper_case(words.next_letter) ||
         (words.next_letter != 0 && is_number(words.next_letter));
}

bool SentenceEnds::after_question(const SentenceEnd& end, const NearWords::Both& words) const {
  if (words_.last_are(SentenceWord::name, end)) {
    return rules_.has(SentenceWord::first, words.next) && is_upper_case(words.next_letter);
  }
  const bool closed = end.closing < end.space;
  if (words.next_lower && (is_quoted(end) || !words.small_letters) && (closed || words.first_in_sentence))
    return false;
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

}  // namespace gloss
