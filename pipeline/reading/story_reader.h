// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/stories.h"

namespace gloss {

/// The questions of a stream of lines in either StoryFormat, as 'story TAB question' or, if their answers are
/// wanted, as answers alone. A blank line in the format with one question per line is an empty item.
class StoryReader : public InputStream<std::string> {
 public:
  enum class Part { question, answer };
  /// `lines` must outlive this object; `divided`: they are a shard. With Part::answer, each question must
  /// have an answer.
  StoryReader(InputStream<std::string>& lines, Part part, bool divided = false)
      : lines_(lines), part_(part), divided_(divided), story_(part == Part::answer) {}

  /// Throws InputError with file and line as BabiStory and split_story; UsageError for a shard in bAbI's
  /// format.
  bool next(std::string& item) override;
  bool available(std::chrono::steady_clock::time_point until) override { return lines_.available(until); }
  std::string place(std::int64_t number) const override;
  std::string unit() const override { return "questions"; }
  CutLines cut_lines() const override { return lines_.cut_lines(); }
  std::int64_t items_before() const override { return lines_.items_before(); }
  std::vector<std::string> warnings() const override { return lines_.warnings(); }
  std::vector<std::string> notes() const override { return lines_.notes(); }

 private:
  InputStream<std::string>& lines_;
  Part part_;
  bool divided_;
  std::optional<StoryFormat> format_;  // nothing before the first line
  BabiStory story_;
  std::int64_t line_ = 0;  // number of the latest line
  std::string text_;
  mutable std::mutex guard_;
  std::vector<std::int64_t> line_of_item_;  // guarded
};

}  // namespace gloss
