// SPDX-License-Identifier: Apache-2.0

#include "base/lines.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace gloss {
namespace {
constexpr std::size_t kChunk = 1 << 16;
}

LineReader::LineReader(const std::string& path) : name_(input_name(path)), source_(open_bytes(path)) {}

LineReader::~LineReader() = default;

bool LineReader::fill() {
  if (ended_) return false;
  if (start_ > 0) {
    buffer_.erase(0, start_);
    searched_ -= start_;
    start_ = 0;
  }
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kChunk);
  const std::size_t got = source_->read(buffer_.data() + before, kChunk);
  buffer_.resize(before + got);
  if (got == 0) ended_ = true;
  return got > 0;
}

bool LineReader::next(std::string& line) {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      line.assign(buffer_, start_, end - start_);
      start_ = searched_ = end + 1;
      ++line_number_;
      return true;
    }
    searched_ = buffer_.size();
    if (!fill()) break;
  }
  if (start_ == buffer_.size()) return false;
  line.assign(buffer_, start_);
  start_ = searched_ = buffer_.size();
  ++line_number_;
  return true;
}

bool LineReader::available(std::chrono::steady_clock::time_point until) {
  using std::chrono::nanoseconds;
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) return true;
    searched_ = buffer_.size();
    if (ended_) return true;
    const nanoseconds left = until - std::chrono::steady_clock::now();
    if (!source_->ready(std::max(left, nanoseconds::zero()))) return false;
    fill();
  }
}

std::string input_name(const std::string& path) { return path == "-" ? "standard input" : path; }

bool opening_waits(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  const file_type type = std::filesystem::status(path, error).type();
  return path == "-" || type == file_type::fifo || type == file_type::character;
}

void expect_readable(const std::string& path) {
  if (!opening_waits(path)) open_bytes(path);
}

void expect_standard_input_once(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") <= 1) return;
  throw UsageError("'-' is given for more than one file, but standard input can be read only once");
}

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(line);
  return lines;
}

}  // namespace gloss
