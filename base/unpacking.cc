// SPDX-License-Identifier: Apache-2.0
// Decompression: gzip (zlib), Zstandard, xz (liblzma), bzip2.

#include "base/unpacking.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <new>
#include <utility>

#include "base/error.h"

namespace gloss {
namespace {

constexpr std::size_t kPacked = 1 << 16;

/// Base of the sources that decompress: holds the compressed input and whether data is still in memory.
class PackedStream : public ByteStream {
 public:
  PackedStream(std::unique_ptr<ByteStream> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kPacked, '\0') {}
  bool ready(std::chrono::nanoseconds wait) override { return pending_ || packed_->ready(wait); }
  std::int64_t position() const override {
    return packed_->position() - static_cast<std::int64_t>(waiting_input());
  }

 protected:
  /// Number of compressed bytes in memory.
  virtual std::size_t waiting_input() const = 0;
  [[noreturn]] void damaged(std::string_view kind) const {
    throw InputError(concat(name_, " is a damaged or truncated ", kind, " file"));
  }
  std::unique_ptr<ByteStream> packed_;
  std::string name_, input_;
  bool pending_ = false;  // compressed or decompressed bytes are still in memory
};

class GzipStream : public PackedStream {
 public:
  GzipStream(std::unique_ptr<ByteStream> packed, std::string name)
      : PackedStream(std::move(packed), std::move(name)) {
    expects(inflateInit2(&stream_, 15 + 16) == Z_OK, "inflateInit2 failed");
  }
  ~GzipStream() override { inflateEnd(&stream_); }

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
      if (between_members_) {
        skip_padding();
        if (stream_.avail_in == 0) continue;
        inflateReset(&stream_);  // the members of a file are concatenated
        between_members_ = false;
      }
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
  std::size_t waiting_input() const override { return stream_.avail_in; }
  /// Tapes and some file systems pad files with zeros.
  void skip_padding() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
  }
  z_stream stream_{};
  bool between_members_ = false;
};

class ZstdStream : public PackedStream {
 public:
  ZstdStream(std::unique_ptr<ByteStream> packed, std::string name)
      : PackedStream(std::move(packed), std::move(name)), stream_(ZSTD_createDStream()) {}
  ~ZstdStream() override { ZSTD_freeDStream(stream_); }

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
  std::size_t waiting_input() const override { return waiting_.size - waiting_.pos; }
  ZSTD_DStream* stream_;
  ZSTD_inBuffer waiting_{nullptr, 0, 0};
  bool inside_frame_ = false;
  bool flushing_ = false;
};

class XzStream : public PackedStream {
 public:
  XzStream(std::unique_ptr<ByteStream> packed, std::string name)
      : PackedStream(std::move(packed), std::move(name)) {
    // Accepts several streams and zeros between and after them.
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzStream() override { lzma_end(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(bytes);
    stream_.avail_out = size;
    while (stream_.avail_out == size && !ended_) {
      if (stream_.avail_in == 0 && !all_read_) {
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
        stream_.avail_in = packed_->read(input_.data(), input_.size());
        all_read_ = stream_.avail_in == 0;
      }
      const lzma_ret result = lzma_code(&stream_, all_read_ ? LZMA_FINISH : LZMA_RUN);
      if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
      if (result == LZMA_MEMLIMIT_ERROR) {
        throw InputError(concat(name_, " needs ", lzma_memusage(&stream_) >> 20,
                                " MiB to be unpacked, expected at most ", kMostMemory >> 20,
                                " MiB; unpack it with xz"));
      }
      if (result != LZMA_OK && result != LZMA_STREAM_END) damaged("xz");
      ended_ = result == LZMA_STREAM_END;
    }
    pending_ = ended_ || stream_.avail_in > 0 || stream_.avail_out == 0;
    return size - stream_.avail_out;
  }

 private:
  std::size_t waiting_input() const override { return stream_.avail_in; }
  /// Four times what 'xz -9' needs: a file of a few bytes can ask for 4 GiB.
  static constexpr std::uint64_t kMostMemory = 256 << 20;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool all_read_ = false, ended_ = false;
};

class BzipStream : public PackedStream {
 public:
  BzipStream(std::unique_ptr<ByteStream> packed, std::string name)
      : PackedStream(std::move(packed), std::move(name)) {
    start();
  }
  ~BzipStream() override { BZ2_bzDecompressEnd(&stream_); }

  std::size_t read(char* bytes, std::size_t size) override {
    const auto room = static_cast<unsigned>(size);
    stream_.next_out = bytes;
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0) {
        stream_.next_in = input_.data();
        stream_.avail_in = static_cast<unsigned>(packed_->read(input_.data(), input_.size()));
        if (stream_.avail_in == 0) {
          if (!between_streams_) damaged("bzip2");
          pending_ = false;
          return 0;
        }
      }
      if (between_streams_) {
        BZ2_bzDecompressEnd(&stream_);
        start();
      }
      const int result = BZ2_bzDecompress(&stream_);
      if (result == BZ_MEM_ERROR) throw std::bad_alloc();
      if (result != BZ_OK && result != BZ_STREAM_END) damaged("bzip2");
      between_streams_ = result == BZ_STREAM_END;
    }
    pending_ = stream_.avail_in > 0 || stream_.avail_out == 0;
    return room - stream_.avail_out;
  }

 private:
  std::size_t waiting_input() const override { return stream_.avail_in; }
  void start() {
    if (BZ2_bzDecompressInit(&stream_, /*verbosity=*/0, /*small=*/0) != BZ_OK) throw std::bad_alloc();
    between_streams_ = false;
  }
  bz_stream stream_{};
  bool between_streams_ = false;  // the streams of a file are concatenated
};

/// "BZh", the block size, and the mark of the first block, or of the end of an empty stream.
bool is_bzip2(std::string_view start) {
  if (start.size() < 10 || !start.starts_with("BZh") || start[3] < '1' || start[3] > '9') return false;
  const std::string_view mark = start.substr(4, 6);
  return mark == "1AY&SY" || mark == "\x17\x72\x45\x38\x50\x90";
}

}  // namespace

Packing packing_of(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\x1f\x8b"sv)) return Packing::gzip;
  if (start.starts_with("\x28\xb5\x2f\xfd"sv)) return Packing::zstandard;
  if (start.starts_with("\xfd"
                        "7zXZ\0"sv))
    return Packing::xz;
  return is_bzip2(start) ? Packing::bzip2 : Packing::none;
}

std::unique_ptr<ByteStream> unpacked(Packing packing, std::unique_ptr<ByteStream> packed,
                                     const std::string& name) {
  switch (packing) {
    case Packing::gzip:
      return std::make_unique<GzipStream>(std::move(packed), name);
    case Packing::zstandard:
      return std::make_unique<ZstdStream>(std::move(packed), name);
    case Packing::xz:
      return std::make_unique<XzStream>(std::move(packed), name);
    case Packing::bzip2:
      return std::make_unique<BzipStream>(std::move(packed), name);
    case Packing::none:
      return packed;
  }
  throw BrokenPromise("a packing without a source");
}

std::string packing_versions() {
  const std::string bzip2 = BZ2_bzlibVersion();
  return concat("zlib ", zlibVersion(), ", Zstandard ", ZSTD_versionString(), ", liblzma ",
                lzma_version_string(), ", bzip2 ", bzip2.substr(0, bzip2.find(',')));
}

}  // namespace gloss
