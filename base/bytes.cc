// SPDX-License-Identifier: Apache-2.0
// The byte sources that open_bytes returns: plain, gzip (zlib), Zstandard.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/index.h"
#include "base/lines.h"

namespace gloss {
namespace {

constexpr std::size_t kPacked = 1 << 16;

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : name_(input_name(path)), descriptor_(STDIN_FILENO) {
    if (path != "-") descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw InputError(concat("cannot open ", path, ": ", system_message()));
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
      throw InputError(concat(name_, " is a folder; expected a text file"));
    }
  }
  ~PlainSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(char* bytes, std::size_t size) override {
    if (!peeked_.empty()) {
      const std::size_t count = std::min(size, peeked_.size());
      std::memcpy(bytes, peeked_.data(), count);
      peeked_.erase(0, count);
      return count;
    }
    return read_some(bytes, size);
  }

  bool ready(std::chrono::nanoseconds wait) override {
    if (!peeked_.empty()) return true;
    pollfd request{descriptor_, POLLIN, 0};
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(wait);
    const timespec time{seconds.count(), (wait - seconds).count()};
    return ::ppoll(&request, 1, &time, nullptr) > 0;
  }

  /// Up to `size` bytes from the start, without consuming them.
  std::string_view peek(std::size_t size) {
    while (peeked_.size() < size) {
      char bytes[64];
      const std::size_t got = read_some(bytes, std::min(size - peeked_.size(), sizeof bytes));
      if (got == 0) break;
      peeked_.append(bytes, got);
      // Do not wait for a slow stream to send more if its first line is shorter than the magic number.
      if (peeked_.find('\n') != std::string::npos) break;
    }
    return peeked_;
  }

  const std::string& name() const { return name_; }

 private:
  std::size_t read_some(char* bytes, std::size_t size) {
    while (true) {
      const ssize_t got = ::read(descriptor_, bytes, size);
      if (got >= 0) return index(got);
      if (errno != EINTR) throw InputError(concat("cannot read ", name_, ": ", system_message()));
    }
  }

  std::string name_;
  int descriptor_;
  std::string peeked_;
};

/// Base of the sources that decompress: holds the compressed input and whether data is still in memory.
class PackedSource : public ByteSource {
 public:
  explicit PackedSource(std::unique_ptr<PlainSource> packed)
      : packed_(std::move(packed)), input_(kPacked, '\0') {}
  bool ready(std::chrono::nanoseconds wait) override { return pending_ || packed_->ready(wait); }

 protected:
  [[noreturn]] void damaged(std::string_view kind) const {
    throw InputError(concat(packed_->name(), " is a damaged or truncated ", kind, " file"));
  }
  std::unique_ptr<PlainSource> packed_;
  std::string input_;
  bool pending_ = false;  // compressed or decompressed bytes are still in memory
};

class GzipSource : public PackedSource {
 public:
  explicit GzipSource(std::unique_ptr<PlainSource> packed) : PackedSource(std::move(packed)) {
    expects(inflateInit2(&stream_, 15 + 16) == Z_OK, "inflateInit2 failed");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(bytes);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(packed_->read(input_.data(), input_.size()));
        if (stream_.avail_in == 0) {
          if (!between_members_) damaged("gzip");
          pending_ = false;
          return 0;
        }
      }
      if (between_members_) inflateReset(&stream_);  // the members of a file are concatenated
      between_members_ = false;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        damaged("gzip");
      }
    }
    pending_ = stream_.avail_in > 0 || stream_.avail_out == 0;
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool between_members_ = false;
};

class ZstdSource : public PackedSource {
 public:
  explicit ZstdSource(std::unique_ptr<PlainSource> packed)
      : PackedSource(std::move(packed)), stream_(ZSTD_createDStream()) {}
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    ZSTD_outBuffer output{bytes, size, 0};
    while (output.pos == 0) {
      if (waiting_.pos == waiting_.size && !flushing_) {
        waiting_ = {input_.data(), packed_->read(input_.data(), input_.size()), 0};
        if (waiting_.size == 0) {
          if (inside_frame_) damaged("Zstandard");
          pending_ = false;
          return 0;
        }
      }
      const std::size_t result = ZSTD_decompressStream(stream_, &output, &waiting_);
      if (ZSTD_isError(result)) damaged("Zstandard");
      inside_frame_ = result != 0;
      flushing_ = output.pos == output.size && inside_frame_;
    }
    pending_ = flushing_ || waiting_.pos < waiting_.size;
    return output.pos;
  }

 private:
  ZSTD_DStream* stream_;
  ZSTD_inBuffer waiting_{nullptr, 0, 0};
  bool inside_frame_ = false;
  bool flushing_ = false;
};

bool is_gzip(std::string_view start) { return start.starts_with("\x1f\x8b"); }
bool is_zstandard(std::string_view start) { return start.starts_with("\x28\xb5\x2f\xfd"); }

}  // namespace

bool is_packed(std::string_view start) { return is_gzip(start) || is_zstandard(start); }

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  auto plain = std::make_unique<PlainSource>(path);
  const std::string_view start = plain->peek(kPackedMark);
  if (is_gzip(start)) return std::make_unique<GzipSource>(std::move(plain));
  if (is_zstandard(start)) return std::make_unique<ZstdSource>(std::move(plain));
  return plain;
}

std::string unpacking_versions() {
  return concat("zlib ", zlibVersion(), ", Zstandard ", ZSTD_versionString());
}

}  // namespace gloss
