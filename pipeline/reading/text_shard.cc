// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_shard.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr std::size_t kBlock = 1 << 20;

/// Reads blocks up to the end, or until `use` returns false.
template <class Use>
void read_blocks(const std::string& path, const FileRange& range, const Use& use) {
  const std::unique_ptr<ByteStream> source = open_range(path, range);
  std::vector<char> block(kBlock);
  while (const std::size_t got = source->read(block.data(), block.size())) {
    if (!use(std::string_view(block.data(), got))) return;
  }
}

/// The first place at or after `offset` where a line of a regular file begins; its size if there is none.
/// Throws InputError.
std::int64_t line_begin(const std::string& path, std::int64_t offset) {
  if (offset == 0) return 0;
  // A line begins at the offset if the byte before it ends one.
  std::int64_t place = offset - 1;
  read_blocks(path, {.begin = place}, [&](std::string_view block) {
    const std::size_t end = block.find('\n');
    place += static_cast<std::int64_t>(end == std::string_view::npos ? block.size() : end + 1);
    return end == std::string_view::npos;
  });
  return place;
}

/// The number of lines that begin in a part of a regular file. Throws InputError.
std::int64_t count_lines(const std::string& path, const FileRange& range) {
  std::int64_t lines = 0;
  char last = '\n';
  read_blocks(path, range, [&](std::string_view block) {
    lines += std::count(block.begin(), block.end(), '\n');
    last = block.back();
    return true;
  });
  return lines + (last == '\n' ? 0 : 1);
}

/// Throws UsageError unless it is a regular file.
std::int64_t size_of(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw UsageError(concat("--shard and mpirun divide files; found ", input_name(path),
                            "; name a file, with --input FILE"));
  }
  return status.st_size;
}

/// The number of lines of a file as they are read.
std::int64_t lines_of(const std::string& path) {
  LineReader reader(path, {.bytes = kLongestLine, .cuts = true});
  for (std::string line; reader.next(line);) {
  }
  return reader.line_number();
}

/// Where shard `number`, counted from 0, begins in `total` items.
std::int64_t begin_of(std::int64_t total, int number, int count) {
  return total / count * number + total % count * number / count;
}

}  // namespace

TextShard::TextShard(std::vector<std::string> paths, const Shard& shard, TextUnit unit)
    : paths_(std::move(paths)), shard_(shard) {
  if (shard.whole()) {
    for (std::size_t i = 0; i < paths_.size(); ++i) parts_.push_back({paths_[i], i});
    return;
  }
  std::vector<std::int64_t> sizes;
  for (const std::string& path : paths_) sizes.push_back(size_of(path));
  by_bytes_ = unit == TextUnit::bytes_if_plain && std::ranges::none_of(paths_, is_encoded_file);
  if (by_bytes_) {
    divide_bytes(sizes);
  } else {
    divide_lines();
  }
}

void TextShard::divide_bytes(const std::vector<std::int64_t>& sizes) {
  for (const std::int64_t size : sizes) total_ += size;
  begin_ = begin_of(total_, shard_.number - 1, shard_.count);
  end_ = begin_of(total_, shard_.number, shard_.count);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto place = [&](std::int64_t offset) {
      return line_begin(paths_[i], std::clamp<std::int64_t>(offset - before, 0, sizes[i]));
    };
    const FileRange bytes{place(begin_), place(end_)};
    if (bytes.begin < bytes.end) parts_.push_back({paths_[i], i, bytes});
    before += sizes[i];
  }
}

void TextShard::divide_lines() {
  std::vector<std::int64_t> lines;
  for (const std::string& path : paths_) {
    lines.push_back(lines_of(path));
    total_ += lines.back();
  }
  begin_ = begin_of(total_, shard_.number - 1, shard_.count);
  end_ = begin_of(total_, shard_.number, shard_.count);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const std::int64_t first = std::clamp<std::int64_t>(begin_ - before, 0, lines[i]),
                       last = std::clamp<std::int64_t>(end_ - before, 0, lines[i]);
    if (first < last) parts_.push_back({paths_[i], i, {}, first, last - first});
    before += lines[i];
  }
}

std::int64_t TextShard::lines_before_in_file(const TextRange& part) const {
  if (part.bytes.begin == 0) return part.first_line;
  const std::lock_guard lock(counted_->guard);
  const auto [known, added] = counted_->before.emplace(part.file, 0);
  if (added) known->second = count_lines(part.path, {0, part.bytes.begin});
  return known->second;
}

void TextShard::count_together(Ranks& ranks) const {
  if (!by_bytes_) return;
  std::int64_t own = 0, before = 0;
  for (const TextRange& part : parts_) own += count_lines(part.path, part.bytes);
  const std::vector<std::string> counts = ranks.gather(std::to_string(own));
  for (int rank = 0; rank < ranks.rank(); ++rank) before += std::stoll(counts[index(rank)]);
  const std::lock_guard lock(counted_->guard);
  counted_->of_others = before;
  if (paths_.size() == 1) counted_->before[0] = before;
}

std::int64_t TextShard::lines_before() const {
  if (shard_.whole() || !by_bytes_) return begin_;
  {
    const std::lock_guard lock(counted_->guard);
    if (counted_->of_others) return *counted_->of_others;
  }
  if (parts_.empty()) return 0;  // nobody asks
  std::int64_t lines = lines_before_in_file(parts_.front());
  for (std::size_t i = 0; i < parts_.front().file; ++i) lines += count_lines(paths_[i], {});
  return lines;
}

nlohmann::json TextShard::range() const {
  return {{"unit", by_bytes_ ? "bytes" : "lines"}, {"begin", begin_}, {"end", end_}, {"total", total_}};
}

}  // namespace gloss
