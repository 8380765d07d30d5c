// SPDX-License-Identifier: Apache-2.0
// The compressors that packer_for returns: gzip (zlib), Zstandard, xz (liblzma), bzip2.

#include "base/packer.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/error.h"

namespace gloss {
namespace {

constexpr std::size_t kPiece = 1 << 16;

/// Calls `step(piece)`, which fills the piece and returns the unused part of it, until `done`.
template <class Step>
std::string collect(Step step) {
  std::string packed;
  bool more = true;
  while (more) {
    const std::size_t before = packed.size();
    packed.resize(before + kPiece);
    const auto [unused, again] = step(packed.data() + before);
    packed.resize(std::min(packed.size(), before + kPiece - unused));  // never more, which GCC cannot see
    more = again;
  }
  return packed;
}

/// Bytes of a piece that a step left unused, and whether the step must be repeated.
struct Stepped {
  std::size_t unused;
  bool again;
};

class GzipPacker : public Packer {
 public:
  GzipPacker() {
    constexpr int kLevel = 6, kGzip = 15 + 16, kMemory = 8;
    const int result = deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY);
    expects(result == Z_OK, "deflateInit2 failed");
  }
  ~GzipPacker() override { deflateEnd(&stream_); }
  std::string pack(std::string_view bytes) override { return run(bytes, Z_NO_FLUSH); }
  std::string finish() override { return run({}, Z_FINISH); }

 private:
  std::string run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    return collect([&](char* piece) {
      stream_.next_out = reinterpret_cast<Bytef*>(piece);
      stream_.avail_out = kPiece;
      deflate(&stream_, flush);
      return Stepped{stream_.avail_out, stream_.avail_out == 0};
    });
  }
  z_stream stream_{};
};

class ZstdPacker : public Packer {
 public:
  ZstdPacker() : stream_(ZSTD_createCCtx()) { ZSTD_CCtx_setParameter(stream_, ZSTD_c_checksumFlag, 1); }
  ~ZstdPacker() override { ZSTD_freeCCtx(stream_); }
  std::string pack(std::string_view bytes) override { return run(bytes, ZSTD_e_continue); }
  std::string finish() override { return run({}, ZSTD_e_end); }

 private:
  std::string run(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    return collect([&](char* piece) {
      ZSTD_outBuffer output{piece, kPiece, 0};
      const std::size_t left = ZSTD_compressStream2(stream_, &output, &input, directive);
      expects(!ZSTD_isError(left), "ZSTD_compressStream2 failed");
      const bool again = directive == ZSTD_e_end ? left > 0 : input.pos < input.size;
      return Stepped{kPiece - output.pos, again};
    });
  }
  ZSTD_CCtx* stream_;
};

class XzPacker : public Packer {
 public:
  XzPacker() {
    if (lzma_easy_encoder(&stream_, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK) throw std::bad_alloc();
  }
  ~XzPacker() override { lzma_end(&stream_); }
  std::string pack(std::string_view bytes) override { return run(bytes, LZMA_RUN); }
  std::string finish() override { return run({}, LZMA_FINISH); }

 private:
  std::string run(std::string_view bytes, lzma_action action) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream_.avail_in = bytes.size();
    return collect([&](char* piece) {
      stream_.next_out = reinterpret_cast<std::uint8_t*>(piece);
      stream_.avail_out = kPiece;
      const lzma_ret result = lzma_code(&stream_, action);
      if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
      expects(result == LZMA_OK || result == LZMA_STREAM_END || result == LZMA_BUF_ERROR, "lzma_code failed");
      return Stepped{stream_.avail_out, stream_.avail_out == 0 && result != LZMA_STREAM_END};
    });
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class BzipPacker : public Packer {
 public:
  BzipPacker() {
    constexpr int kBlocks = 9, kSilent = 0, kDefaultWork = 0;
    if (BZ2_bzCompressInit(&stream_, kBlocks, kSilent, kDefaultWork) != BZ_OK) throw std::bad_alloc();
  }
  ~BzipPacker() override { BZ2_bzCompressEnd(&stream_); }
  std::string pack(std::string_view bytes) override {
    return bytes.empty() ? "" : run(bytes, BZ_RUN);  // the library calls a step without progress an error
  }
  std::string finish() override { return run({}, BZ_FINISH); }

 private:
  std::string run(std::string_view bytes, int action) {
    stream_.next_in = const_cast<char*>(bytes.data());
    stream_.avail_in = static_cast<unsigned>(bytes.size());
    return collect([&](char* piece) {
      stream_.next_out = piece;
      stream_.avail_out = kPiece;
      const int result = BZ2_bzCompress(&stream_, action);
      expects(result >= 0, "BZ2_bzCompress failed");
      return Stepped{stream_.avail_out, action == BZ_RUN ? stream_.avail_in > 0 : result != BZ_STREAM_END};
    });
  }
  bz_stream stream_{};
};

}  // namespace

std::unique_ptr<Packer> packer_for(const std::string& path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipPacker>();
  if (path.ends_with(".zst")) return std::make_unique<ZstdPacker>();
  if (path.ends_with(".xz")) return std::make_unique<XzPacker>();
  if (path.ends_with(".bz2")) return std::make_unique<BzipPacker>();
  return nullptr;
}

}  // namespace gloss
