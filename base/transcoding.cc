// SPDX-License-Identifier: Apache-2.0

#include "base/transcoding.h"

#include <unicode/ucnv.h>

#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr std::size_t kTranscodingChunk = 1 << 16;

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Converter converter_of(const std::string& encoding) {
  UErrorCode status = U_ZERO_ERROR;
  Converter converter(ucnv_open(encoding.c_str(), &status));
  expects(U_SUCCESS(status), "ICU has no converter for ", encoding);
  return converter;
}

/// Converts through UTF-16, as ICU does. Invalid sequences become U+FFFD.
class TranscodedStream : public ByteStream {
 public:
  TranscodedStream(std::unique_ptr<ByteStream> source, const std::string& encoding, std::string name)
      : source_(std::move(source)),
        name_(std::move(name)),
        encoding_(encoding),
        from_(converter_of(encoding)),
        to_(converter_of("UTF-8")),
        input_(kTranscodingChunk, '\0'),
        pivot_(kTranscodingChunk, u'\0'),
        pivot_start_(pivot_.data()),
        pivot_end_(pivot_.data()) {}

  std::string_view encoding() const override { return encoding_; }

  bool ready(std::chrono::nanoseconds wait) override {
    return !text_.empty() || next_ < end_ || ended_ || source_->ready(wait);
  }

  std::int64_t position() const override { return source_->position() - (end_ - next_); }

  std::size_t read(char* bytes, std::size_t size) override {
    while (text_.empty() && !ended_) convert();
    const std::size_t count = text_.copy(bytes, size);
    text_.erase(0, count);
    return count;
  }

 private:
  /// Appends the text of the next bytes to `text_`.
  void convert() {
    if (next_ == end_) {
      next_ = input_.data();
      end_ = next_ + source_->read(input_.data(), input_.size());
      ended_ = next_ == end_;
    }
    UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
    while (status == U_BUFFER_OVERFLOW_ERROR) {
      status = U_ZERO_ERROR;
      char piece[4096];
      char* to = piece;
      ucnv_convertEx(to_.get(), from_.get(), &to, piece + sizeof piece, &next_, end_, pivot_.data(),
                     &pivot_start_, &pivot_end_, pivot_.data() + pivot_.size(), /*reset=*/false,
                     /*flush=*/ended_, &status);
      text_.append(piece, to);
    }
    if (U_FAILURE(status)) {
      throw InputError(concat(name_, " cannot be converted from ", encoding_, ": ", u_errorName(status)));
    }
    if (text_.empty() || !first_) return;
    first_ = false;
    if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
  }

  std::unique_ptr<ByteStream> source_;
  std::string name_, encoding_;
  Converter from_, to_;
  std::string input_;
  std::u16string pivot_;
  char16_t *pivot_start_, *pivot_end_;
  const char *next_ = nullptr, *end_ = nullptr;  // the bytes of the input not converted yet
  std::string text_;                             // converted and not read yet
  bool ended_ = false, first_ = true;
};

}  // namespace

std::string encoding_of(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\xFF\xFE\0\0"sv)) return "UTF-32LE";
  if (start.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32BE";
  if (start.starts_with("\xFF\xFE"sv)) return "UTF-16LE";
  if (start.starts_with("\xFE\xFF"sv)) return "UTF-16BE";
  return "";
}

std::unique_ptr<ByteStream> transcoded(std::unique_ptr<ByteStream> source, const std::string& encoding,
                                       const std::string& name) {
  return std::make_unique<TranscodedStream>(std::move(source), encoding, name);
}

std::string conversion_note(const std::string& name, std::string_view encoding) {
  return concat(name, " was converted from ", encoding, " to UTF-8");
}

}  // namespace gloss
