// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/story_reader.h"

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {

bool StoryReader::next(std::string& item) {
  while (lines_.next(text_)) {
    ++line_;
    if (!format_ && !is_blank(text_)) format_ = story_format(text_);
    if (divided_ && format_ == StoryFormat::babi) {
      throw UsageError(
          concat(lines_.place(line_),
                 ": a file in bAbI's format cannot be divided, as a story has several lines; leave "
                 "out --shard and mpirun, or write one question per line"));
    }
    const bool babi = format_ == StoryFormat::babi, answers = part_ == Part::answer;
    if (is_blank(text_)) {
      if (babi || answers) continue;
      item.clear();
    } else if (babi) {
      if (!story_.take(text_, lines_.place(line_))) continue;
      item = answers ? story_.answer() : story_.text();
    } else {
      const StoryQuestion found = split_story(text_, answers, lines_.place(line_));
      item = answers ? found.answer : found.text;
    }
    const std::lock_guard lock(guard_);
    line_of_item_.push_back(line_);
    return true;
  }
  return false;
}

std::string StoryReader::place(std::int64_t number) const {
  const std::lock_guard lock(guard_);
  expects(number > 0 && number <= std::ssize(line_of_item_), "the place of question ", number);
  return lines_.place(line_of_item_[index(number - 1)]);
}

}  // namespace gloss
