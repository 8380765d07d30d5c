// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// Sentences as lines of a text. A line of white space or text becomes one line for each of its sentences; an
/// empty line separates lines. A single space between sentences, and no space after a full stop of a script
/// without spaces, are understood; other white space stays at the end of the line of its sentence.

/// The sentences of a line, joined by '\n'. What could not be told from other text when the lines are joined
/// again stays one line.
std::string sentence_lines(std::span<const std::string_view> sentences);

/// What stands between a line of a sentence and the next sentence beside white space of its own: " " or "".
std::string_view understood_space(std::string_view line);

/// The text without the white space at its end.
std::string_view without_trailing_space(std::string_view text);

/// Writes lines of text as lines of sentences, with an empty line between two lines of text.
class SentenceLineWriter {
 public:
  /// What to write for a line of text. `sentences`: as `sentence_lines` gives them; `ended`: the line had a
  /// '\n'.
  std::string next(std::string_view sentences, bool ended);

 private:
  bool separator_due_ = false;
};

/// Restores lines of text from what SentenceLineWriter wrote, perhaps with other sentences.
class SentenceLineJoiner {
 public:
  /// What to write for a line; `ended`: it had a '\n'.
  std::string next(std::string_view line, bool ended);
  /// What to write at the end.
  std::string finish() const { return started_ && ended_ ? "\n" : ""; }

 private:
  bool started_ = false;    // a line of text has begun
  bool ended_ = true;       // the line added last had a '\n'
  std::string_view space_;  // what stands before the next sentence
};

}  // namespace gloss
