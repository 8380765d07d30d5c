// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_tail.h"

#include <algorithm>
#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestSmiley = 4;

std::size_t after_space(const LineCharacters& line, std::size_t at) {
  while (at < line.size() && is_space(line[at])) ++at;
  return at;
}

/// The end of a mark of a reference at `at`, or `at`.
std::size_t after_reference(const LineCharacters& line, std::size_t at) {
  constexpr std::size_t kLongest = 6;
  if (at >= line.size()) return at;
  if (std::u32string_view(U"¹²³⁴⁵⁶⁷⁸⁹⁰†‡").find(line[at]) != std::u32string_view::npos) return at + 1;
  if (line[at] != '[') return at;
  std::size_t end = at + 1;
  while (end < line.size() && end - at < kLongest && is_number(line[end])) ++end;
  return end > at + 1 && end < line.size() && line[end] == ']' ? end + 1 : at;
}

/// True if a mark that may open or close closes something at `at`.
bool closes(const LineCharacters& line, std::size_t at) {
  if (!is_either_way(line[at])) return is_closing(line[at]);
  std::size_t after = at + 1;
  while (after < line.size() && is_closing(line[after])) ++after;
  return after == line.size() || is_space(line[after]) || is_punctuation(line[after]) || line[at] == U'”' ||
         line[at] == U'’';
}

/// The end of a smiley or a run of emoji at `at`, or `at`.
std::size_t after_smiley(const SentenceRules& rules, const LineCharacters& line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_emoji(line[end])) ++end;
  if (end > at) return end;
  while (end < line.size() && end - at <= kLongestSmiley && !is_space(line[end])) ++end;
  return rules.has(SentenceWord::smiley, line.text(at, end)) ? end : at;
}

}  // namespace

std::size_t after_marks(const LineCharacters& line, std::size_t at) {
  while (at < line.size()) {
    if (is_end_mark(line[at])) {
      ++at;
    } else if (line[at] == ' ' && at + 1 < line.size() && line[at - 1] == '.' && line[at + 1] == '.') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t after_closing(const LineCharacters& line, std::size_t at) {
  for (;;) {
    const std::size_t reference = after_reference(line, at);
    if (reference > at) {
      at = reference;
      continue;
    }
    if (at < line.size() && is_closing(line[at]) && closes(line, at)) {
      ++at;
      continue;
    }
    // French sets a space before the mark that closes a quotation.
    const std::size_t after = after_space(line, at);
    if (after == at || after >= line.size() || (line[after] != U'»' && line[after] != U'›')) return at;
    if (!closes(line, after)) return at;
    at = after + 1;
  }
}

std::size_t after_smileys(const SentenceRules& rules, const LineCharacters& line, std::size_t at) {
  for (;;) {
    std::size_t first = at;
    while (first < line.size() && line[first] == ' ') ++first;
    const std::size_t end = after_smiley(rules, line, first);
    if (end == first) return at;
    const bool attached = first == at && is_emoji(line[first]);  // "！😀": text without spaces goes on
    if (!attached && end < line.size() && !is_space(line[end])) return at;
    at = end;
  }
}

bool is_smiley(const SentenceRules& rules, const LineCharacters& line, std::size_t end) {
  std::size_t first = end;
  while (first > 0 && end - first <= kLongestSmiley && !is_space(line[first - 1])) --first;
  return rules.has(SentenceWord::smiley, line.text(first, end));
}

}  // namespace gloss
