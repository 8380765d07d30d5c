// SPDX-License-Identifier: Apache-2.0

#include "base/line_places.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace gloss {
namespace {

constexpr std::size_t kBlock = 1 << 20;

/// Reads blocks up to the end, or until `use` returns false.
template <class Use>
void read_blocks(const std::string& path, const FileRange& range, const Use& use) {
  const std::unique_ptr<ByteSource> source = open_range(path, range);
  std::vector<char> block(kBlock);
  while (const std::size_t got = source->read(block.data(), block.size())) {
    if (!use(std::string_view(block.data(), got))) return;
  }
}

}  // namespace

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

}  // namespace gloss
