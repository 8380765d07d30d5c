// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// Separates the sentences of a story within a line.
inline constexpr char kBetweenSentences = '|';

/// The formats of files with stories: a line is a story, a question and an answer, separated by tabs; or a
/// sentence or a question of a story, with its number (the tasks of bAbI, Weston et al. 2015).
enum class StoryFormat { lines, babi };
/// The format of a file by its first line: bAbI's starts with 1, or with another number and has no tab.
StoryFormat story_format(std::string_view first_line);

/// A question about a story. The text is `story TAB question`.
struct StoryQuestion {
  std::string_view text, answer;
};
/// Splits a line 'story TAB question TAB answer'; the answer may be missing unless `needs_answer`. Throws
/// InputError, which begins with `where`, if a part is missing or blank.
StoryQuestion split_story(std::string_view line, bool needs_answer, const std::string& where);

/// The sentences of a story and its question. Blank sentences are left out.
struct StoryTexts {
  std::vector<std::string_view> sentences;
  std::string_view question;
};
/// Those of 'story TAB question'.
StoryTexts story_texts(std::string_view text);

/// The lines of a file in bAbI's format, one after the other.
class BabiStory {
 public:
  /// The longest story in lines.
  static constexpr std::int64_t kMostLines = 2000;

  /// `needs_answers`: a question must have an answer; otherwise a line that ends with a question mark is one.
  explicit BabiStory(bool needs_answers) : needs_answers_(needs_answers) {}

  /// Takes the next line. True if it is a question: `text` and `answer` then describe it. Throws InputError,
  /// which begins with `where`, for a number that does not follow, a question without a story or without a
  /// needed answer, a line without text, and a story of more than kMostLines lines.
  bool take(std::string_view line, const std::string& where);
  /// 'story TAB question' of the latest question.
  std::string text() const { return story_ + "\t" + question_; }
  const std::string& answer() const { return answer_; }

 private:
  bool needs_answers_;
  std::int64_t number_ = 0;  // of the latest line in its story
  std::string story_, question_, answer_;
};

/// True if a line in bAbI's format is the first of a story.
bool begins_story(std::string_view line);

}  // namespace gloss
