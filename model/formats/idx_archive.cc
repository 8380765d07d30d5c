// SPDX-License-Identifier: Apache-2.0

#include "model/formats/idx_archive.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/checksum.h"
#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/random.h"

namespace gloss {
namespace {

constexpr unsigned char kUnsignedBytes = 8;
constexpr unsigned char kMostIdxDimensions = 4;
constexpr std::int64_t kLargestItem = std::int64_t{1} << 28;

unsigned char byte_of(char letter) { return static_cast<unsigned char>(letter); }

bool begins_idx(std::span<const char> start) {
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && byte_of(start[2]) == kUnsignedBytes &&
         start[3] >= 1 && byte_of(start[3]) <= kMostIdxDimensions;
}

std::int64_t big_endian(std::span<const char> bytes) {
  std::int64_t number = 0;
  for (const char letter : bytes) number = number << 8 | byte_of(letter);
  return number;
}

}  // namespace

bool is_idx_archive(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const std::unique_ptr<ByteStream> source = open_unpacked(path);
  std::array<char, 4> start{};
  std::size_t got = 0;
  while (got < start.size()) {
    const std::size_t more = source->read(start.data() + got, start.size() - got);
    if (more == 0) return false;
    got += more;
  }
  return begins_idx(start);
}

IdxArchive::IdxArchive(const std::string& path, const std::string& folder, Listener& listener)
    : file_(path, folder, listener, FileContent::bytes) {
  const auto refuse = [&](const std::string& problem) {
    throw InputError(concat(name(), ": ", problem, "; expected an idx archive of unsigned bytes"));
  };
  std::array<char, 4> mark{};
  if (file_.size() < std::ssize(mark)) refuse(concat("the file has only ", file_.size(), " bytes"));
  file_.read(0, mark);
  if (!begins_idx(mark))
    refuse("the file does not begin with 0, 0, 8 and a number of dimensions from 1 to 4");
  start_ = 4 + 4 * std::int64_t{mark[3]};
  if (file_.size() < start_) refuse("the file ends within its header");
  std::vector<char> header(index(start_ - 4));
  file_.read(4, header);
  for (std::size_t at = 0; at < header.size(); at += 4) {
    const std::int64_t size = big_endian(std::span(header).subspan(at, 4));
    if (at == 0) {
      items_ = size;
      continue;
    }
    if (size == 0 || size > kLargestItem || item_bytes_ * size > kLargestItem)
      refuse(concat("an item has the size ", size, " in dimension ", at / 4));
    item_bytes_ *= size;
    sizes_.push_back(static_cast<int>(size));
  }
  const std::int64_t expected = start_ + items_ * item_bytes_;
  if (file_.size() == expected) return;
  throw InputError(concat(name(), ": the header says ", items_, " items of ", item_bytes_, " bytes, ",
                          expected, " bytes in total, but the file has ", file_.size(),
                          "; restore the archive"));
}

std::vector<std::uint8_t> IdxArchive::item(std::int64_t number) const {
  expects(number >= 0 && number < items_, "item ", number, " of ", items_);
  std::vector<std::uint8_t> bytes(index(item_bytes_));
  file_.read(start_ + number * item_bytes_, {reinterpret_cast<char*>(bytes.data()), bytes.size()});
  return bytes;
}

std::uint64_t IdxArchive::fingerprint() const {
  constexpr std::int64_t kPart = 1 << 20;
  std::uint64_t state = mix_bits(static_cast<std::uint64_t>(file_.size()));
  std::vector<char> bytes;
  for (std::int64_t at = 0; at < file_.size(); at += std::ssize(bytes)) {
    bytes.resize(index(std::min(kPart, file_.size() - at)));
    file_.read(at, bytes);
    const std::string sum = checksum({bytes.data(), bytes.size()});
    for (const char letter : sum) state = mix_bits(state ^ byte_of(letter));
  }
  return state;
}

}  // namespace gloss
