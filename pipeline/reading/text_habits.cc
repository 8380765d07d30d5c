// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_habits.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/transcoding.h"

namespace gloss {
namespace {

constexpr std::int64_t kLinesLookedAt = 2000;
constexpr std::int64_t kTelling = 5;  // fewer lines say nothing about a file

bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

/// True if the line has `punctuation` and then a space or the end, right after a character that is not a
/// space.
bool has_attached(std::string_view line, char punctuation) {
  for (std::size_t at = line.find(punctuation); at != std::string_view::npos;
       at = line.find(punctuation, at + 1)) {
    const bool ends = at + 1 == line.size() || line[at + 1] == ' ';
    if (ends && at > 0 && line[at - 1] != ' ') return true;
  }
  return false;
}

}  // namespace

std::string_view cleaned_line(std::string_view line, bool first) {
  if (first && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void clean_line(std::string& line, bool first) {
  const std::string_view kept = cleaned_line(line, first);
  const auto begin = static_cast<std::size_t>(kept.data() - line.data());
  line.resize(begin + kept.size());
  line.erase(0, begin);
}

TextHabits::TextHabits(std::string name, std::string_view encoding)
    : name_(std::move(name)), encoding_(encoding) {}

void TextHabits::add(std::string_view line) {
  if (lines_ == 0) mark_ = line.starts_with(kByteOrderMark);
  if (line.ends_with('\r')) ++ends_;
  if (lines_ < kLinesLookedAt) look_at_words(cleaned_line(line, lines_ == 0));
  ++lines_;
}

void TextHabits::look_at_words(std::string_view line) {
  if (contains(line, "\u2581")) return;  // pieces of SentencePiece, for decode
  if (contains(line, "@@ ")) ++joined_;
  // Only marks that no language writes after a space; French does so before '?', '!', ':' and ';'.
  const bool apart = contains(line, " , ") || line.ends_with(" .");
  if (apart) {
    ++apart_;
  } else if (has_attached(line, ',') || has_attached(line, '.')) {
    ++attached_;
  }
}

std::vector<std::string> TextHabits::notes() const {
  std::vector<std::string> notes;
  const auto add_note = [&](const auto&... parts) { notes.push_back(concat(name_, parts...)); };
  if (!encoding_.empty()) notes.push_back(conversion_note(name_, encoding_));
  if (mark_) add_note(": the byte order mark at the start was removed");
  if (ends_ > 0) add_note(": '\\r' was removed from the end of ", ends_, ends_ == 1 ? " line" : " lines");
  if (joined_ >= kTelling && joined_ * 2 >= std::min(lines_, kLinesLookedAt)) {
    add_note(": ", joined_,
             " lines have '@@ ', as subword-nmt writes it; gloss expects plain text, which 'sed "
             "-E \"s/@@( |$)//g\"' restores");
  } else if (apart_ >= kTelling && apart_ > 9 * attached_) {
    add_note(" looks tokenised: ", apart_,
             " lines have a space before ',' or '.'; gloss expects plain text, "
             "unless the model was trained on text like this");
  }
  return notes;
}

}  // namespace gloss
