// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/stories.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/error.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/reading/line_forms.h"

namespace gloss {
namespace {

constexpr const char* kStoryColumns =
    "expected 'story TAB question TAB answer', with | between the sentences of the story";

constexpr const char* kQuestionColumns =
    "expected 'story TAB question', maybe with TAB and an answer, and | between the sentences of the story";

/// The number at the start of a line in bAbI's format and what follows it; -1: no number.
struct NumberedLine {
  std::int64_t number;
  std::string_view rest;
};

NumberedLine numbered_line(std::string_view line) {
  std::int64_t number = -1;
  const char* const end = line.data() + line.size();
  const auto [after, error] = std::from_chars(line.data(), end, number);
  const bool complete = error == std::errc() && number >= 0 && after != end && *after == ' ';
  if (!complete) return {-1, line};
  return {number, std::string_view(after, static_cast<std::size_t>(end - after))};
}

/// Throws InputError unless the text has numbers of earlier lines of the story, with spaces between them.
void expect_supporting(std::string_view text, std::int64_t line, const std::string& where) {
  for (const std::string& word : split(std::string(trimmed(text)), ' ')) {
    std::int64_t number = 0;
    const auto [after, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool whole = error == std::errc() && after == word.data() + word.size();
    if (word.empty() || (whole && number >= 1 && number < line)) continue;
    throw InputError(concat(where, ": found ", shown(word),
                            " among the numbers of supporting sentences; expected ",
                            "numbers of lines of the story before line ", line));
  }
}

void expect_part(std::string_view part, const char* name, const std::string& where) {
  if (is_blank(part)) throw InputError(concat(where, ": the ", name, " is missing; ", kStoryColumns));
}

}  // namespace

StoryFormat story_format(std::string_view first_line) {
  const std::int64_t number = numbered_line(first_line).number;
  const bool sentence = number >= 0 && first_line.find('\t') == std::string_view::npos;
  return number == 1 || sentence ? StoryFormat::babi : StoryFormat::lines;
}

StoryQuestion split_story(std::string_view line, bool needs_answer, const std::string& where) {
  const std::vector<std::string_view> columns = between_tabs(line);
  const std::size_t least = needs_answer ? 3 : 2;
  if (columns.size() < least || columns.size() > 3) {
    throw InputError(concat(where, ": found ", columns.size(), columns.size() == 1 ? " column" : " columns",
                            "; ", needs_answer ? kStoryColumns : kQuestionColumns));
  }
  StoryQuestion found{line.substr(0, columns[0].size() + 1 + columns[1].size()),
                      columns.size() == 3 ? trimmed(columns[2]) : std::string_view()};
  if (story_texts(found.text).sentences.empty()) {
    throw InputError(concat(where, ": the story has no sentences; ", kStoryColumns));
  }
  expect_part(columns[1], "question", where);
  if (needs_answer) expect_part(found.answer, "answer", where);
  return found;
}

StoryTexts story_texts(std::string_view text) {
  const std::size_t tab = std::min(text.find('\t'), text.size());
  StoryTexts texts;
  for (std::string_view rest = text.substr(0, tab);;) {
    const std::size_t end = std::min(rest.find(kBetweenSentences), rest.size());
    const std::string_view sentence = trimmed(rest.substr(0, end));
    if (!sentence.empty()) texts.sentences.push_back(sentence);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (tab < text.size()) texts.question = trimmed(text.substr(tab + 1));
  return texts;
}

bool begins_story(std::string_view line) { return numbered_line(line).number == 1; }

bool BabiStory::take(std::string_view line, const std::string& where) {
  const auto [number, rest] = numbered_line(line);
  if (number < 0) {
    throw InputError(concat(where,
                            ": expected a line in bAbI's format, which starts with its number in the "
                            "story and a space"));
  }
  if (number != 1 && number != number_ + 1) {
    throw InputError(concat(where, ": found the line number ", number, ", expected ",
                            number_ == 0 ? "" : concat(number_ + 1, " (the next line of the story) or "),
                            "1 (the first line of a story)"));
  }
  if (number > kMostLines) {
    throw InputError(concat(where, ": the story has more than ", kMostLines,
                            " lines; does each story start with the number 1?"));
  }
  if (number == 1) story_.clear();
  number_ = number;
  const std::vector<std::string_view> columns = between_tabs(rest);
  const std::string_view text = trimmed(columns[0]);
  if (text.empty()) throw InputError(concat(where, ": there is no text after the number"));
  if (text.find(kBetweenSentences) != std::string_view::npos) {
    throw InputError(concat(where, ": found '|', which separates sentences; leave it out of the text"));
  }
  if (columns.size() == 1 && !text.ends_with('?')) {
    if (!story_.empty()) story_ += " | ";
    story_ += text;
    return false;
  }
  if (story_.empty()) {
    throw InputError(concat(where, ": the question has no story: no sentence precedes it"));
  }
  question_ = text;
  answer_ = columns.size() == 1 ? std::string_view() : trimmed(columns[1]);
  if (answer_.empty() && needs_answers_) {
    throw InputError(concat(where, ": the question has no answer; expected NUMBER QUESTION TAB ANSWER"));
  }
  if (columns.size() > 2) expect_supporting(columns[2], number, where);
  return true;
}

}  // namespace gloss
