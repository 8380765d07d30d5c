#include "base/lines.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {
namespace {
constexpr std::size_t kChunk = 1 << 16;
}

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "standard input" : path), source_(open_bytes(path)) {}

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

void expect_standard_input_once(const std::vector<std::string>& paths) {
  if (std::ranges::count(paths, "-") <= 1) return;
  throw UsageError("standard input can be read once: found '-' for more than one file");
}

std::vector<std::string> read_lines(const std::string& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(line);
  return lines;
}

}  // namespace gloss
