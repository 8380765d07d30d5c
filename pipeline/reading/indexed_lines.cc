// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/indexed_lines.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"
#include "pipeline/reading/text_habits.h"
#include "pipeline/reading/text_start.h"

namespace gloss {
namespace {

constexpr std::int64_t kChunk = 1 << 20;

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t state = mix_bits(bytes.size());
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    state = mix_bits(state ^ word);
  }
  std::uint64_t rest = 0;
  if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
  return mix_bits(state ^ rest);
}

}  // namespace

class IndexedLines::Indexer {
 public:
  Indexer(IndexedLines& lines, TextHabits& habits, std::int64_t longest)
      : lines_(lines), habits_(habits), longest_(index(longest)) {}

  /// Takes the next bytes of the file.
  void add(std::span<const char> bytes) {
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(block_));
    line_ -= block_;
    block_ = 0;
    std::size_t at = buffer_.size();
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    while (const void* const found = std::memchr(buffer_.data() + at, '\n', buffer_.size() - at)) {
      at = end_line(index(static_cast<const char*>(found) - buffer_.data())) + 1;
      ++offset_;
      line_ = at;
      if (in_block_ == kBlockLines) close_block();
    }
    if (skipped_ + buffer_.size() - line_ > longest_) skip(buffer_.size());
  }

  /// Takes the end of the file.
  void finish() {
    if (skipped_ + buffer_.size() - line_ > 0) line_ = end_line(buffer_.size());
    if (in_block_ > 0) close_block();
  }

 private:
  /// Removes the bytes of the current line before `end` from the buffer.
  void skip(std::size_t end) {
    skipped_ += end - line_;
    const auto begin = buffer_.begin();
    buffer_.erase(begin + static_cast<std::ptrdiff_t>(line_), begin + static_cast<std::ptrdiff_t>(end));
  }
  /// Ends the current line at `end`; returns where it then ends.
  std::size_t end_line(std::size_t end) {
    if (skipped_ + end - line_ > longest_) {
      skip(end);
      end = line_;
      lines_.holes_.push_back({offset_, static_cast<std::int64_t>(skipped_)});
    } else {
      habits_.add({buffer_.data() + line_, end - line_});
    }
    offset_ += static_cast<std::int64_t>(skipped_ + end - line_);
    skipped_ = 0;
    ++in_block_;
    return end;
  }
  /// Ends the block before the current line.
  void close_block() {
    lines_.hashes_.push_back(hash_of({buffer_.data() + block_, line_ - block_}));
    lines_.starts_.push_back(offset_);
    lines_.lines_ += in_block_;
    in_block_ = 0;
    block_ = line_;
  }

  IndexedLines& lines_;
  TextHabits& habits_;
  std::size_t longest_;
  std::vector<char> buffer_;
  std::size_t block_ = 0, line_ = 0;  // where the current block and line start in the buffer
  std::size_t skipped_ = 0;           // bytes of the current line that were removed from the buffer
  std::int64_t offset_ = 0;           // of the current line in the file
  std::int64_t in_block_ = 0;         // lines that ended
};

IndexedLines::IndexedLines(const std::string& path, const std::string& folder, Listener& listener,
                           std::int64_t longest)
    : file_(path, folder, listener) {
  warn_of_binary(listener);
  TextHabits habits(name(), file_.encoding());
  Indexer indexer(*this, habits, longest);
  std::vector<char> bytes;
  for (std::int64_t place = 0; place < file_.size();) {
    bytes.resize(index(std::min(kChunk, file_.size() - place)));
    file_.read(place, bytes);
    place += std::ssize(bytes);
    indexer.add(bytes);
    listener.progress({place >> 20, file_.size() >> 20, "MiB", "reading " + name()});
  }
  indexer.finish();
  for (const std::string& note : habits.notes()) listener.note(note);
}

void IndexedLines::warn_of_binary(Listener& listener) const {
  std::string start(std::min(kTextStart, index(file_.size())), '\0');
  file_.read(0, start);
  const std::string doubt = doubt_about_text(name(), start);
  if (!doubt.empty()) listener.warn(doubt);
}

std::uint64_t IndexedLines::fingerprint() const {
  std::uint64_t state = mix_bits(static_cast<std::uint64_t>(lines_));
  for (const std::uint64_t hash : hashes_) state = mix_bits(state ^ hash);
  return state;
}

LineBlock IndexedLines::read(std::int64_t block) const {
  const auto number = index(block);
  const std::int64_t begin = starts_[number], end = starts_[number + 1];
  LineBlock read;
  std::vector<std::size_t> places;  // of the holes in the bytes that are read
  const auto read_until = [&](std::int64_t from, std::int64_t to) {
    const std::size_t before = read.bytes.size();
    read.bytes.resize(before + index(to - from));
    file_.read(from, std::span(read.bytes).subspan(before));
  };
  std::int64_t from = begin;
  for (auto hole = std::ranges::lower_bound(holes_, begin, {}, &Hole::offset);
       hole != holes_.end() && hole->offset < end; ++hole) {
    read_until(from, hole->offset);
    places.push_back(read.bytes.size());
    from = hole->offset + hole->size;
  }
  read_until(from, end);
  std::string_view rest(read.bytes.data(), read.bytes.size());
  if (hash_of(rest) != hashes_[number]) {
    throw InputError(concat(name(), " changed while it was being read, near line ", block * kBlockLines + 1,
                            "; restore the file and run the same command again"));
  }
  auto hole = places.begin();
  while (!rest.empty() || hole != places.end()) {  // a line that is too long may lack its newline
    if (hole != places.end() && *hole == read.bytes.size() - rest.size()) {
      read.too_long.push_back(read.lines.size());
      ++hole;
    }
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    read.lines.push_back(cleaned_line(rest.substr(0, length), block == 0 && read.lines.empty()));
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return read;
}

}  // namespace gloss
