// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_splitter.h"

#include <algorithm>

#include "tokenizer/sentences/line_characters.h"
#include "tokenizer/sentences/marks.h"
#include "tokenizer/sentences/sentence_end.h"
#include "tokenizer/sentences/sentence_ends.h"
#include "tokenizer/sentences/sentence_tail.h"
#include "tokenizer/sentences/unmarked_ends.h"

namespace gloss {
namespace {

/// Walks over a line and notes where sentences begin.
class LineSplitter {
 public:
  LineSplitter(std::string_view line, const SentenceRules& rules, std::vector<std::size_t> unicode)
      : rules_(rules),
        line_(line),
        ends_(rules, line_),
        unmarked_(rules, line_),
        unicode_(std::move(unicode)) {}

  /// The bytes at which sentences begin, without the first.
  std::vector<std::size_t> begins();

 private:
  /// The end of what belongs to a sentence after its marks and what closes it: smileys and emoji.
  std::size_t after_smileys(std::size_t at) const;
  std::size_t after_space(std::size_t at) const;
  /// True if white space has a mark that ends lines or paragraphs.
  bool separated(std::size_t first, std::size_t last) const;
  /// True if Unicode's rules begin a sentence at `at`.
  bool unicode_begins(std::size_t at) const { return std::ranges::binary_search(unicode_, line_.byte(at)); }
  void begin_at(std::size_t at);

  const SentenceRules& rules_;
  LineCharacters line_;
  SentenceEnds ends_;
  UnmarkedEnds unmarked_;
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

std::size_t LineSplitter::after_smileys(std::size_t at) const {
  const std::size_t end = gloss::after_smileys(rules_, line_, at);
  // In a list whose items begin with pictures, the next one belongs to the next item.
  return is_emoji(line_[sentence_]) && after_space(end) < line_.size() ? at : end;
}

std::vector<std::size_t> LineSplitter::begins() {
  sentence_ = after_space(0);
  for (std::size_t at = sentence_; at < line_.size();) {
    const char32_t c = line_[at];
    if (is_bullet(c) && at > sentence_ && is_space(line_[at - 1])) begin_at(at);  // an item of a list
    if (is_space(c)) {
      const std::size_t next = after_space(at);
      // Some marks end sentences only in some languages, such as the Greek question mark.
      if (next < line_.size() &&
          (separated(at, next) || unicode_begins(next) || unmarked_.ends(sentence_, at, next))) {
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
    end.closing = after_marks(line_, at);
    end.space = after_smileys(after_closing(line_, end.closing));
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
