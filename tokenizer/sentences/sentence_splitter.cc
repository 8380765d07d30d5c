// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_splitter.h"

#include <algorithm>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/marks.h"
#include "tokenizer/sentences/sentence_end.h"

namespace gloss {
namespace {

/// Walks over a line and notes where sentences begin.
class LineSplitter {
 public:
  LineSplitter(std::string_view line, const SentenceRules& rules, std::vector<std::size_t> unicode)
      : line_(line), ends_(rules, line_), unicode_(std::move(unicode)) {}

  /// The bytes at which sentences begin, without the first.
  std::vector<std::size_t> begins();

 private:
  /// The end of a run of marks that begins at `at`; spaces between full stops belong to it ("wait . . .").
  std::size_t after_marks(std::size_t at) const;
  /// The end of what closes quotations and brackets, and of marks of references ("[12]", "¹").
  std::size_t after_closing(std::size_t at) const;
  std::size_t after_space(std::size_t at) const;
  /// True if white space has a mark that ends lines or paragraphs.
  bool separated(std::size_t first, std::size_t last) const;
  /// The end of a mark of a reference at `at`, or `at`.
  std::size_t after_reference(std::size_t at) const;
  /// True if a mark that may open or close closes something at `at`.
  bool closes(std::size_t at) const;
  /// True if Unicode's rules begin a sentence at `at`.
  bool unicode_begins(std::size_t at) const { return std::ranges::binary_search(unicode_, line_.byte(at)); }
  void begin_at(std::size_t at);

  LineCharacters line_;
  SentenceEnds ends_;
  std::vector<std::size_t> unicode_;
  std::size_t sentence_ = 0;  // the first character of this sentence that is not white space
  std::vector<std::size_t> begins_;
};

void LineSplitter::begin_at(std::size_t at) {
  begins_.push_back(line_.byte(at));
  sentence_ = after_space(at);
}

std::size_t LineSplitter::after_space(std::size_t at) const {
  while (at < line_.size() && is_space(line_[at])) ++at;
  return at;
}

bool LineSplitter::separated(std::size_t first, std::size_t last) const {
  while (first < last && !is_line_separator(line_[first])) ++first;
  return first < last;
}

std::size_t LineSplitter::after_marks(std::size_t at) const {
  while (at < line_.size()) {
    if (is_end_mark(line_[at])) {
      ++at;
    } else if (line_[at] == ' ' && at + 1 < line_.size() && line_[at - 1] == '.' && line_[at + 1] == '.') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

std::size_t LineSplitter::after_reference(std::size_t at) const {
  constexpr std::size_t kLongest = 6;
  if (at >= line_.size()) return at;
  if (std::u32string_view(U"¹²³⁴⁵⁶⁷⁸⁹⁰†‡").find(line_[at]) != std::u32string_view::npos) return at + 1;
  if (line_[at] != '[') return at;
  std::size_t end = at + 1;
  while (end < line_.size() && end - at < kLongest && is_number(line_[end])) ++end;
  return end > at + 1 && end < line_.size() && line_[end] == ']' ? end + 1 : at;
}

bool LineSplitter::closes(std::size_t at) const {
  if (!is_either_way(line_[at])) return is_closing(line_[at]);
  std::size_t after = at + 1;
  while (after < line_.size() && is_closing(line_[after])) ++after;
  return after == line_.size() || is_space(line_[after]) || is_punctuation(line_[after]) ||
         line_[at] == U'”' || line_[at] == U'’';
}

std::size_t LineSplitter::after_closing(std::size_t at) const {
  for (;;) {
    const std::size_t reference = after_reference(at);
    if (reference > at) {
      at = reference;
      continue;
    }
    if (at < line_.size() && is_closing(line_[at]) && closes(at)) {
      ++at;
      continue;
    }
    // French sets a space before the mark that closes a quotation.
    const std::size_t after = after_space(at);
    if (after == at || after >= line_.size() || (line_[after] != U'»' && line_[after] != U'›')) return at;
    if (!closes(after)) return at;
    at = after + 1;
  }
}

std::vector<std::size_t> LineSplitter::begins() {
  sentence_ = after_space(0);
  for (std::size_t at = sentence_; at < line_.size();) {
    const char32_t c = line_[at];
    if (is_bullet(c) && at > sentence_ && is_space(line_[at - 1])) begin_at(at);  // an item of a list
    if (is_space(c)) {
      const std::size_t next = after_space(at);
      // Some marks end sentences only in some languages, such as the Greek question mark.
      if (next < line_.size() && (separated(at, next) || unicode_begins(next) ||
                                  (is_letter(line_[at - 1]) && ends_.ends_unmarked(sentence_, next)))) {
        begin_at(next);
      }
      at = next;
      continue;
    }
    if (!is_end_mark(c)) {
      ++at;
      continue;
    }
    SentenceEnd end{.sentence = sentence_, .marks = at};
    end.closing = after_marks(at);
    end.space = after_closing(end.closing);
    end.next = after_space(end.space);
    if (end.next == line_.size()) break;
    end.unicode = unicode_begins(end.next);
    if (separated(end.space, end.next) || ends_.ends(end)) begin_at(end.next);
    at = end.next;
  }
  return begins_;
}

}  // namespace

SentenceSplitter::SentenceSplitter(const std::string& language)
    : unicode_(language), rules_(SentenceRules::of_language(unicode_.language())) {
  for (const std::string& word : unicode_.abbreviations()) rules_.add(SentenceWord::abbreviation, word);
}

std::vector<std::string_view> SentenceSplitter::split(std::string_view line) const {
  std::vector<std::string_view> sentences;
  if (line.empty()) return sentences;
  LineSplitter splitter(line, rules_, unicode_.begins(line));
  std::size_t start = 0;
  const std::vector<std::size_t> begins = splitter.begins();
  for (const std::size_t begin : begins) {
    sentences.push_back(line.substr(start, begin - start));
    start = begin;
  }
  sentences.push_back(line.substr(start));
  return sentences;
}

}  // namespace gloss
