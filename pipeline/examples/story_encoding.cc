// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/story_encoding.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "pipeline/examples/label_set.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/reading/stories.h"
#include "tokenizer/characters.h"

namespace gloss {

std::shared_ptr<const std::vector<bool>> punctuation_pieces(const Subwords& subwords) {
  auto marks = std::make_shared<std::vector<bool>>();
  for (const std::string& text : piece_texts(subwords)) {
    const std::u32string characters = code_points(text);
    const bool has_marks = std::ranges::any_of(characters, is_punctuation);
    marks->push_back(has_marks && std::ranges::all_of(characters, [](char32_t c) {
                       return is_punctuation(c) || is_white_space(c);
                     }));
  }
  return marks;
}

StoryRows::StoryRows(LineEncoder encoder, const Subwords& subwords, TokenId begin, int most)
    : encoder_(std::move(encoder)),
      punctuation_(punctuation_pieces(subwords)),
      begin_(begin),
      end_(subwords.end_id()),
      most_(most) {}

std::vector<TokenId> StoryRows::words_of(std::string_view text, Random* dropout, StoryRow& row) const {
  EncodedLine encoded = encoder_(text, dropout);
  row.replaced += encoded.replaced;
  std::erase_if(encoded.tokens,
                [&](TokenId token) { return token == end_ || (*punctuation_)[index(token)]; });
  return std::move(encoded.tokens);
}

StoryRow StoryRows::row(std::string_view text, Random* dropout) const {
  StoryRow row;
  const StoryTexts texts = story_texts(text);
  std::vector<TokenId> question = words_of(texts.question, dropout, row);
  std::vector<std::vector<TokenId>> sentences;
  for (std::size_t i = 0; i < texts.sentences.size(); ++i) {
    std::vector<TokenId> words = words_of(texts.sentences[i], dropout, row);
    if (words.empty()) continue;
    sentences.push_back(std::move(words));
    row.sentences.push_back(i);
  }
  row.empty = question.empty() || sentences.empty();
  if (row.empty) return row;
  const auto size = [](const std::vector<TokenId>& words) { return words.size() + 1; };  // with the end token
  std::size_t all = 1 + size(question);
  for (const std::vector<TokenId>& words : sentences) all += size(words);
  const auto most = index(most_);
  std::size_t first = 0;
  while (all > most && first + 1 < sentences.size()) {
    row.left_out += static_cast<int>(size(sentences[first]));
    all -= size(sentences[first++]);
  }
  for (std::vector<TokenId>* longest; all > most; --all, ++row.left_out) {
    longest = sentences.back().size() > question.size() ? &sentences.back() : &question;
    if (longest->size() <= 1) break;
    longest->pop_back();
  }
  row.sentences.erase(row.sentences.begin(), row.sentences.begin() + static_cast<std::ptrdiff_t>(first));
  row.tokens.push_back(begin_);
  const auto add = [&](const std::vector<TokenId>& words) {
    row.tokens.insert(row.tokens.end(), words.begin(), words.end());
    row.tokens.push_back(end_);
  };
  for (std::size_t i = first; i < sentences.size(); ++i) add(sentences[i]);
  add(question);
  return row;
}

void StoryEncoder::encode(const PairView& pair, std::int64_t line, Random* dropout, EncodedPairs& to) const {
  Findings& found = to.found;
  ++found.lines;
  if (pair.too_long) {
    found.long_lines.add(1, line);
    return;
  }
  if (pair.source.empty()) return;  // a sentence in bAbI's format
  const StoryRow row = rows_.row(pair.source, dropout);
  found.invalid.add(row.replaced, line);
  if (row.empty) {
    found.blank.add(1, line);
    return;
  }
  found.overlong.add(row.left_out > 0 ? 1 : 0, line);
  const int answer = class_of(answers_, pair.target);
  found.unknown_labels.add(answer < 0 ? 1 : 0, line);
  to.pairs.add(row.tokens, std::vector<TokenId>{answer}, pair.weight);
  ++found.pairs;
  found.source_tokens += static_cast<std::int64_t>(row.tokens.size());
  found.source_lengths.add(static_cast<std::int64_t>(row.tokens.size()) - 1);
  ++found.target_tokens;
}

void StoryEncoder::report(const Findings& found, const std::string& text, Listener& listener) const {
  report_skipped(found.blank, text, "question", "without words in the story or the question", listener);
  report_long_lines(found, text, "line", listener);
  if (found.overlong.count > 0) {
    listener.warn(concat(text, ": ", counted(found.overlong.count, "question"),
                         " without the first sentences of the story, see --max-positions (the first in line ",
                         found.overlong.first_line, ")"));
  }
  if (found.unknown_labels.count > 0 && found.unknown_labels.count == found.pairs) {
    throw InputError(concat(text, ": the training text lacks the answers of all ",
                            counted(found.pairs, "question"), " (the first in line ",
                            found.unknown_labels.first_line, "); expected answers that it has"));
  }
  if (found.unknown_labels.count > 0) {
    listener.warn(concat(text, ": ", counted(found.unknown_labels.count, "question"),
                         found.unknown_labels.count == 1 ? " has an answer" : " have answers",
                         " that the training text lacks, which counts as wrong (the first in line ",
                         found.unknown_labels.first_line, ")"));
  }
  report_faults(found, text, listener);
  if (found.pairs == 0) {
    throw InputError(text + ": there is no question; expected lines 'story TAB question TAB answer'");
  }
  listener.note(concat(text, ": ", counted(found.pairs, "question"), ", ", answers_.size(), " answers, ",
                       found.source_tokens, " tokens"));
}

}  // namespace gloss
