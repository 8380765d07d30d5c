// SPDX-License-Identifier: Apache-2.0

#include "base/lines.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"

namespace gloss {
namespace {
constexpr std::size_t kLinesChunk = 1 << 16;

/// The largest size of at most `limit` bytes, which `text` exceeds, that does not split a UTF-8 character.
std::size_t whole_characters(std::string_view text, std::size_t limit) {
  constexpr std::size_t kLongestCharacter = 4;
  std::size_t size = limit;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return limit - size < kLongestCharacter ? size : limit;  // else it is not UTF-8
}
}  // namespace

void CutLines::add(const CutLines& later, std::int64_t before) {
  if (later.count == 0) return;
  if (count == 0) first = before + later.first;
  count += later.count;
  limit = later.limit;
}

LineReader::LineReader(const std::string& path, LineLimit limit)
    : name_(input_name(path)), limit_(limit), cut_{.limit = limit.bytes}, source_(open_bytes(path)) {}

LineReader::LineReader(const std::string& path, LineLimit limit, const FileRange& range)
    : name_(input_name(path)),
      limit_(limit),
      cut_{.limit = limit.bytes},
      source_(range.whole() ? open_bytes(path) : open_range(path, range)) {}

LineReader::LineReader(std::unique_ptr<ByteStream> stream, std::string name, LineLimit limit)
    : name_(std::move(name)), limit_(limit), cut_{.limit = limit.bytes}, source_(std::move(stream)) {}

LineReader::~LineReader() = default;

bool LineReader::fill() {
  if (ended_) return false;
  if (start_ > 0) {
    buffer_.erase(0, start_);
    searched_ -= start_;
    start_ = 0;
  }
  // There is no newline in the buffer. One byte more than the limit reveals whether a character would be
  // split.
  const std::size_t kept = static_cast<std::size_t>(limit_.bytes) + 1;
  if (buffer_.size() > kept) {
    buffer_.resize(kept);
    searched_ = kept;
  }
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kLinesChunk);
  const std::size_t got = source_->read(buffer_.data() + before, kLinesChunk);
  buffer_.resize(before + got);
  received_ += static_cast<std::int64_t>(got);
  if (got == 0) ended_ = true;
  return got > 0;
}

std::int64_t LineReader::position() const {
  if (received_ == 0) return 0;
  const double waiting = static_cast<double>(buffer_.size() - start_) / static_cast<double>(received_);
  return static_cast<std::int64_t>(static_cast<double>(source_->position()) * (1 - waiting));
}

bool LineReader::next(std::string& line) {
  while (true) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      take(end, line);
      start_ = searched_ = end + 1;
      return true;
    }
    searched_ = buffer_.size();
    if (!fill()) break;
  }
  if (start_ == buffer_.size()) return false;
  take(buffer_.size(), line);
  line_ended_ = false;
  start_ = searched_ = buffer_.size();
  return true;
}

void LineReader::take(std::size_t end, std::string& line) {
  std::string_view text(buffer_.data() + start_, end - start_);
  const auto limit = static_cast<std::size_t>(limit_.bytes);
  if (text.size() > limit) {
    if (!limit_.cuts) {
      throw InputError(concat(name_, ":", line_number_ + 1, ": the line has more than ", limit_.bytes,
                              " bytes; split it into shorter lines"));
    }
    cut_.add({1, line_number_ + 1, limit_.bytes});
    text = text.substr(0, whole_characters(text, limit));
  }
  ++line_number_;
  line.assign(text);
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
  return read_lines(reader);
}

std::vector<std::string> read_lines(LineReader& reader) {
  std::vector<std::string> lines;
  std::string line;
  while (reader.next(line)) lines.push_back(line);
  return lines;
}

}  // namespace gloss
