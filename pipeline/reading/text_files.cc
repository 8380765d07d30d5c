// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "pipeline/reading/text_start.h"

namespace gloss {
namespace {

void append_notes(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The bytes of a file that are still to be read; negative for a pipe, or if only some of its lines are read.
std::int64_t remaining_bytes(const TextRange& part) {
  const std::string& path = part.path;
  if (part.bytes.end >= 0) return part.bytes.end - part.bytes.begin;
  if (part.lines >= 0) return -1;
  struct stat status {};
  const bool standard = path == "-";
  const int failed = standard ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
  if (failed != 0 || !S_ISREG(status.st_mode)) return -1;
  return status.st_size - (standard ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : 0);
}

/// The sizes of all parts; empty if one is unknown.
std::vector<std::int64_t> sizes_of(const std::vector<TextRange>& parts) {
  std::vector<std::int64_t> sizes;
  for (const TextRange& part : parts) {
    sizes.push_back(remaining_bytes(part));
    if (sizes.back() < 0) return {};
  }
  return sizes;
}

/// Throws InputError, UsageError.
void expect_readable_files(const std::vector<std::string>& paths) {
  expect_standard_input_once(paths);
  for (const std::string& path : paths) expect_readable(path);
}

}  // namespace

TextFiles::TextFiles(std::vector<std::string> paths, std::int64_t longest, const Shard& shard)
    : shard_((expect_readable_files(paths), paths), shard), longest_(longest) {
  warnings_ = doubts_about_text(paths);
  sizes_ = sizes_of(parts());
}

bool TextFiles::open_next() {
  if (at_end()) return false;
  reader_ = std::make_unique<TextRangeReader>(parts()[lines_before_.size()], longest_);
  const std::lock_guard lock(guard_);
  lines_before_.push_back(lines_);
  return true;
}

void TextFiles::close() {
  cut_.add(reader_->cut_lines(), lines_before_.back());
  append_notes(notes_, reader_->notes());
  if (!sizes_.empty()) bytes_before_ += sizes_[lines_before_.size() - 1];
  reader_.reset();
}

std::vector<std::string> TextFiles::notes() const {
  std::vector<std::string> all = notes_;
  if (reader_ != nullptr) append_notes(all, reader_->notes());
  return all;
}

bool TextFiles::next(std::string& line) {
  if (ahead_) {
    line = *std::exchange(ahead_, std::nullopt);
    return true;
  }
  while (reader_ != nullptr || open_next()) {
    if (reader_->next(line)) {
      count_line();
      return true;
    }
    close();
  }
  return false;
}

bool TextFiles::available(std::chrono::steady_clock::time_point until) {
  while (!ahead_) {
    if (reader_ == nullptr) {
      if (at_end()) return true;  // `next` returns false at once
      if (opening_waits(parts()[lines_before_.size()].path)) return false;
      open_next();
    }
    if (!reader_->available(until)) return false;
    std::string line;
    if (!reader_->next(line)) {
      close();
      continue;
    }
    count_line();
    ahead_ = std::move(line);
  }
  return true;
}

void TextFiles::count_line() {
  bytes_ = bytes_before_ + reader_->position();
  ++lines_;
}

double TextFiles::share(std::int64_t items) const {
  const auto lines = static_cast<double>(lines_), bytes = static_cast<double>(bytes_);
  const auto all = static_cast<double>(std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0}));
  if (all == 0 || lines == 0) return -1;
  return std::min(1.0, bytes / all * static_cast<double>(items) / lines);
}

std::string TextFiles::place(std::int64_t number) const {
  const std::lock_guard lock(guard_);
  // The last file that starts before the line; an empty file starts at the same line as the next one.
  const auto after = std::ranges::lower_bound(lines_before_, number);
  expects(after != lines_before_.begin(), "line ", number, " was not read");
  const TextRange& part = parts()[index(after - lines_before_.begin() - 1)];
  return concat(input_name(part.path), ":", shard_.lines_before_in_file(part) + number - *std::prev(after));
}

Field line_limit_field(std::int64_t& bytes, const std::string& what) {
  constexpr double kLeast = 4, kMost = 1 << 30;  // a character; the lengths of libraries have 31 bits
  return {"max_line_bytes", &bytes, concat(what, " lines of more than N bytes"), {kLeast, kMost}, 0, "N"};
}

}  // namespace gloss
