// SPDX-License-Identifier: Apache-2.0
// Opens files as the bytes of their text: recognises their formats by their first bytes.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files_in_use.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/transcoding.h"
#include "base/typed_input.h"
#include "base/unpacking.h"

namespace gloss {
namespace {

constexpr std::size_t kPeeked = 64;  // bytes that show what a file is

/// A file, a part of it, or standard input. A regular file must not change until the end is reached
/// (FilesInUse).
class PlainStream : public ByteStream {
 public:
  explicit PlainStream(const std::string& path, const FileRange& range = {})
      : name_(input_name(path)), descriptor_(STDIN_FILENO) {
    if (path != "-") descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (known && S_ISDIR(status.st_mode)) {
      throw InputError(concat(name_, " is a directory; expected a text file"));
    }
    if (range.end >= 0) left_ = range.end - range.begin;
    if (range.begin > 0 && ::lseek(descriptor_, range.begin, SEEK_SET) < 0) {
      throw InputError(concat("cannot read ", name_, " from byte ", range.begin, ": ", system_message()));
    }
    if (known && S_ISREG(status.st_mode)) watch(status);
  }
  ~PlainStream() override {
    end_watch();
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(char* bytes, std::size_t size) override {
    size = static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(size), left_));
    if (ended_ || size == 0) return 0;
    if (descriptor_ == STDIN_FILENO) announce_typed_input();
    while (true) {
      const ssize_t got = ::read(descriptor_, bytes, size);
      if (got >= 0) {
        ended_ = got == 0;
        position_ += got;
        left_ -= got;
        if (ended_ || left_ == 0) end_watch();
        return index(got);
      }
      if (errno == EBADF && descriptor_ == STDIN_FILENO) {
        throw InputError("standard input is closed; give a file, or < /dev/null for an empty text");
      }
      if (errno != EINTR) throw InputError(concat("cannot read ", name_, ": ", system_message()));
    }
  }

  bool ready(std::chrono::nanoseconds wait) override {
    pollfd request{descriptor_, POLLIN, 0};
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    const timespec time{seconds.count(), (wait - seconds).count()};
    return ::ppoll(&request, 1, &time, nullptr) > 0;
  }

  std::int64_t position() const override { return position_; }

 private:
  void watch(const struct stat& status) {
    const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) throw InputError(concat("cannot read ", name_, ": ", system_message()));
    use_ = files_in_use().add({name_, copy, status});
  }
  void end_watch() {
    if (use_) files_in_use().remove(*std::exchange(use_, std::nullopt));
  }

  std::string name_;
  std::int64_t position_ = 0;
  std::int64_t left_ = std::numeric_limits<std::int64_t>::max();  // bytes of the range
  bool ended_ = false;  // a terminal would wait for more text after Ctrl-D
  int descriptor_;
  std::optional<std::size_t> use_;  // its number in the list of files in use
};

/// A source whose first bytes can be looked at before they are read.
class PeekedStream : public ByteStream {
 public:
  explicit PeekedStream(std::unique_ptr<ByteStream> source) : source_(std::move(source)) {}

  std::size_t read(char* bytes, std::size_t size) override {
    if (peeked_.empty()) return source_->read(bytes, size);
    const std::size_t count = std::min(size, peeked_.size());
    std::memcpy(bytes, peeked_.data(), count);
    peeked_.erase(0, count);
    return count;
  }
  bool ready(std::chrono::nanoseconds wait) override { return !peeked_.empty() || source_->ready(wait); }

  std::int64_t position() const override { return source_->position(); }

  /// Up to `size` bytes from the start, without consuming them.
  std::string_view peek(std::size_t size) {
    // Does not wait for a slow stream to send more if it has sent a line.
    while (peeked_.size() < size && peeked_.find('\n') == std::string::npos) {
      char bytes[kPeeked];
      const std::size_t got = source_->read(bytes, std::min(size - peeked_.size(), sizeof bytes));
      if (got == 0) break;
      peeked_.append(bytes, got);
    }
    return peeked_;
  }

 private:
  std::unique_ptr<ByteStream> source_;
  std::string peeked_;
};

/// Numbers of zero bytes at the places 0, 1, 2 and 3 of every four.
struct Zeros {
  std::size_t at[4] = {};
  std::size_t quarter = 0;  // of all bytes

  explicit Zeros(std::string_view start) : quarter(start.size() / 4) {
    for (std::size_t i = 0; i < quarter * 4; ++i) at[i % 4] += start[i] == '\0' ? 1 : 0;
  }
  /// At least 70 %: characters beyond Latin have other bytes there.
  bool most(std::size_t place) const { return at[place] * 10 >= quarter * 7; }
  /// At most 20 %: an emoji may have one there.
  bool few(std::size_t place) const { return at[place] * 5 <= quarter; }
};

/// The encoding of text without a byte order mark that has zero bytes at the same places of each character;
/// empty: none.
std::string_view encoding_by_zeros(std::string_view start) {
  constexpr std::size_t kFewest = 16;  // bytes that show a pattern
  if (start.size() < kFewest) return "";
  const Zeros zeros(start);
  if (zeros.few(0) && zeros.most(1) && zeros.few(2) && zeros.most(3)) return "UTF-16LE";
  if (zeros.most(0) && zeros.few(1) && zeros.most(2) && zeros.few(3)) return "UTF-16BE";
  if (zeros.few(0) && zeros.most(1) && zeros.most(2) && zeros.most(3)) return "UTF-32LE";
  if (zeros.most(0) && zeros.most(1) && zeros.most(2) && zeros.few(3)) return "UTF-32BE";
  return "";
}

/// True if half of the bytes are zero, as in a program.
bool is_mostly_zeros(std::string_view start) {
  constexpr std::ptrdiff_t kFewest = 16;
  const std::ptrdiff_t zeros = std::ranges::count(start, '\0');
  return zeros >= kFewest && zeros * 2 >= std::ssize(start);
}

void expect_bytes_of_text(std::string_view start, const std::string& name) {
  if (const std::string_view encoding = encoding_by_zeros(start); !encoding.empty()) {
    throw InputError(concat(name, " is not UTF-8 text: zero bytes alternate with others as in ", encoding,
                            "; convert it with 'iconv -f ", encoding, " -t UTF-8'"));
  }
  if (is_mostly_zeros(start)) {
    throw InputError(concat(name, " is a binary file; expected UTF-8 text"));
  }
}

}  // namespace

bool is_packed(std::string_view start) { return packing_of(start) != Packing::none; }

bool is_encoded(std::string_view start) { return is_packed(start) || !encoding_of(start).empty(); }

std::unique_ptr<ByteStream> open_unpacked(const std::string& path) {
  auto source = std::make_unique<PeekedStream>(std::make_unique<PlainStream>(path));
  const Packing packing = packing_of(source->peek(kPeeked));
  if (packing == Packing::none) return source;
  return unpacked(packing, std::move(source), input_name(path));
}

std::unique_ptr<ByteStream> open_bytes(const std::string& path) {
  auto source = std::make_unique<PeekedStream>(open_unpacked(path));
  const std::string name = input_name(path);
  const std::string_view start = source->peek(kPeeked);
  if (!encoding_of(start).empty()) return transcoded(std::move(source), encoding_of(start), name);
  expect_bytes_of_text(start, name);
  return source;
}

std::unique_ptr<ByteStream> open_range(const std::string& path, const FileRange& range) {
  return std::make_unique<PlainStream>(path, range);
}

bool is_encoded_file(const std::string& path) {
  PeekedStream source(std::make_unique<PlainStream>(path));
  return is_encoded(source.peek(kPeeked));
}

}  // namespace gloss
