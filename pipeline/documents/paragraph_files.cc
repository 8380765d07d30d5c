// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/paragraph_files.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/index.h"
#include "base/lines.h"
#include "base/text.h"
#include "pipeline/documents/white_space.h"
#include "pipeline/reading/text_start.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

/// True for characters of Chinese and Japanese, which have no spaces between words.
bool is_written_without_spaces(char32_t character) {
  return (character >= 0x2E80 && character <= 0xA4CF) || (character >= 0xF900 && character <= 0xFAFF) ||
         (character >= 0xFF00 && character <= 0xFF60) || (character >= 0x20000 && character <= 0x3FFFF);
}

/// What joins two lines of a paragraph.
std::string_view joint(std::string_view line, std::string_view next) {
  constexpr std::size_t kCharacter = 4;  // bytes at most
  const std::u32string before = code_points(line.substr(line.size() - std::min(line.size(), kCharacter)));
  const std::u32string after = code_points(next.substr(0, kCharacter));
  return is_written_without_spaces(before.back()) && is_written_without_spaces(after.front()) ? "" : " ";
}

}  // namespace

ParagraphFiles::ParagraphFiles(std::vector<std::string> paths, std::int64_t longest)
    : paths_(std::move(paths)), longest_(longest) {
  expect_standard_input_once(paths_);
  for (const std::string& path : paths_) expect_readable(path);
  warnings_ = doubts_about_text(paths_);
}

void ParagraphFiles::open_next() {
  reader_ = std::make_unique<WholeLines>(paths_[opened_], longest_);
  ++opened_;
  lines_before_ += std::exchange(line_, 0);
  const std::lock_guard lock(guard_);
  parts_before_.push_back(std::ssize(part_lines_));
}

void ParagraphFiles::end_part() {
  ready_ = std::exchange(open_, {});
  const std::size_t end = without_space_around(ready_.source).size();  // it begins with a word
  open_.before = ready_.source.substr(end);
  ready_.source.resize(end);
  has_ready_ = true;
  const std::lock_guard lock(guard_);
  part_lines_.push_back(ready_.line);
}

void ParagraphFiles::add(std::string line) {
  ++line_;
  std::string_view rest = line;
  if (line_ == 1 && rest.starts_with(kByteOrderMark)) {
    open_.before += kByteOrderMark;
    rest.remove_prefix(kByteOrderMark.size());
  }
  const std::string_view words = without_space_around(rest);
  if (words.empty()) {
    if (!open_.source.empty()) end_part();
    open_.before += rest;
    return;
  }
  if (open_.source.empty()) {
    const auto indentation = static_cast<std::size_t>(words.data() - rest.data());
    open_.before += rest.substr(0, indentation);
    rest.remove_prefix(indentation);
    open_.line = line_;
    open_.input_line = lines_before_ + line_;
  } else {
    open_.text += joint(open_.text, words);
  }
  open_.source += rest;
  open_.text += words;
  if (std::ssize(open_.source) >= longest_) end_part();
}

void ParagraphFiles::advance() {
  if (reader_ == nullptr) open_next();
  std::string line;
  if (reader_->next(line)) {
    add(std::move(line));
    return;
  }
  reader_.reset();
  if (!open_.source.empty()) end_part();
}

bool ParagraphFiles::next(DocumentPart& part) {
  while (!has_ready_) {
    if (reader_ == nullptr && opened_ == paths_.size()) {
      if (open_.before.empty()) return false;
      end_part();
    } else {
      advance();
    }
  }
  part = std::move(ready_);
  has_ready_ = false;
  return true;
}

bool ParagraphFiles::available(std::chrono::steady_clock::time_point until) {
  while (!has_ready_) {
    if (reader_ == nullptr) {
      if (opened_ == paths_.size()) return true;
      if (opening_waits(paths_[opened_])) return false;
      open_next();
    }
    if (!reader_->available(until)) return false;
    advance();
  }
  return true;
}

std::string ParagraphFiles::place(std::int64_t number) const {
  const std::lock_guard lock(guard_);
  const auto after = std::ranges::lower_bound(parts_before_, number);
  const auto file = static_cast<std::size_t>(after - parts_before_.begin()) - 1;
  return concat(input_name(paths_[file]), ":", part_lines_[index(number - 1)]);
}

}  // namespace gloss
