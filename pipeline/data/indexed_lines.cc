// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/indexed_lines.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "base/random.h"

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

IndexedLines::IndexedLines(const std::string& path, const std::string& folder, Listener& listener)
    : file_(path, folder, listener) {
  std::vector<char> buffer;
  std::size_t start = 0,
              searched = 0;  // start of the incomplete block; end of the bytes searched for newlines
  std::int64_t place = 0, in_block = 0;
  const auto close_block = [&](std::size_t end) {
    hashes_.push_back(hash_of({buffer.data() + start, end - start}));
    starts_.push_back(starts_.back() + static_cast<std::int64_t>(end - start));
    lines_ += in_block;
    in_block = 0;
    start = end;
  };
  while (place < file_.size()) {
    buffer.erase(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(start));
    searched -= start;
    start = 0;
    const auto count = index(std::min(kChunk, file_.size() - place));
    buffer.resize(searched + count);
    file_.read(place, std::span(buffer).subspan(searched));
    place += static_cast<std::int64_t>(count);
    const char* const end = buffer.data() + buffer.size();
    const char* at = buffer.data() + searched;
    while ((at = static_cast<const char*>(std::memchr(at, '\n', index(end - at)))) != nullptr) {
      ++at;
      if (++in_block == kBlockLines) close_block(index(at - buffer.data()));
    }
    searched = buffer.size();
    listener.progress({place >> 20, file_.size() >> 20, "MiB", "reading " + name()});
  }
  if (start < buffer.size()) {
    if (buffer.back() != '\n') ++in_block;
    close_block(buffer.size());
  }
}

std::uint64_t IndexedLines::fingerprint() const {
  std::uint64_t state = mix_bits(static_cast<std::uint64_t>(lines_));
  for (const std::uint64_t hash : hashes_) state = mix_bits(state ^ hash);
  return state;
}

LineBlock IndexedLines::read(std::int64_t block) const {
  const auto number = index(block);
  LineBlock read;
  read.bytes.resize(index(starts_[number + 1] - starts_[number]));
  file_.read(starts_[number], read.bytes);
  std::string_view rest(read.bytes.data(), read.bytes.size());
  if (hash_of(rest) != hashes_[number]) {
    throw InputError(concat(name(), " changed while it was being read, near line ", block * kBlockLines + 1,
                            "; restore the file and run the same command again"));
  }
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    read.lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return read;
}

}  // namespace gloss
