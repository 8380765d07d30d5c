// SPDX-License-Identifier: Apache-2.0
// The only file that knows libjpeg-turbo.
#include "pipeline/media/jpeg_reader.h"

#include <csetjmp>
#include <cstdio>
// jpeglib.h needs the types of cstdio.
#include <jerror.h>
#include <jpeglib.h>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr int kMostScans = 200;  // of a progressive file; each takes time, however small it is

/// What libjpeg reports, and where to go back then: it knows no exceptions.
struct JpegErrors {
  jpeg_error_mgr manager;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void leave_jpeg(j_common_ptr decoder) {
  auto* const errors = reinterpret_cast<JpegErrors*>(decoder->err);
  errors->manager.format_message(decoder, errors->message);
  std::longjmp(errors->back, 1);
}

/// Data that end too early would be filled with grey.
void take_jpeg_warning(j_common_ptr decoder, int level) {
  const int code = decoder->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER)) leave_jpeg(decoder);
}

void limit_jpeg_scans(j_common_ptr decoder) {
  auto* const errors = reinterpret_cast<JpegErrors*>(decoder->err);
  if (reinterpret_cast<j_decompress_ptr>(decoder)->input_scan_number <= kMostScans) return;
  std::snprintf(errors->message, sizeof errors->message, "more than %d scans", kMostScans);
  std::longjmp(errors->back, 1);
}

/// A decoder of one file. Its functions hold nothing that needs a destructor, since errors jump out of them.
class JpegDecoder {
 public:
  explicit JpegDecoder(std::string_view bytes) : bytes_(bytes) {
    decoder_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = leave_jpeg;
    errors_.manager.emit_message = take_jpeg_warning;
    errors_.message[0] = '\0';
    progress_.progress_monitor = limit_jpeg_scans;
  }
  ~JpegDecoder() { jpeg_destroy_decompress(&decoder_); }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;

  /// Reads the size and the number of colours; false on errors.
  bool read_header() {
    if (setjmp(errors_.back) != 0) return false;
    jpeg_create_decompress(&decoder_);
    decoder_.progress = &progress_;
    jpeg_mem_src(&decoder_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
    jpeg_read_header(&decoder_, TRUE);
    return true;
  }
  /// Decodes all rows into `pixels`, which has room for them; false on errors.
  bool read_rows(int channels, unsigned char* pixels) {
    if (setjmp(errors_.back) != 0) return false;
    decoder_.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    decoder_.dct_method = JDCT_ISLOW;  // the same numbers on every processor
    jpeg_start_decompress(&decoder_);
    while (decoder_.output_scanline < decoder_.output_height) {
      unsigned char* row =
          pixels + std::size_t{decoder_.output_scanline} * decoder_.output_width * index(channels);
      jpeg_read_scanlines(&decoder_, &row, 1);
    }
    jpeg_finish_decompress(&decoder_);
    return true;
  }
  const jpeg_decompress_struct& found() const { return decoder_; }
  const char* message() const { return errors_.message; }

 private:
  std::string_view bytes_;
  JpegErrors errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct decoder_{};
};

}  // namespace

Image read_jpeg(std::string_view bytes, const std::string& name) {
  JpegDecoder decoder(bytes);
  const auto expect = [&](bool succeeded) {
    if (succeeded) return;
    throw InputError(concat(name, ": the JPEG file is damaged (", decoder.message(), "); replace it"));
  };
  expect(decoder.read_header());
  const jpeg_decompress_struct& found = decoder.found();
  check_image_size(found.image_height, found.image_width, name);
  if (found.num_components != 1 && found.num_components != 3) {
    const bool inks = found.jpeg_color_space == JCS_CMYK || found.jpeg_color_space == JCS_YCCK;
    throw InputError(concat(name, ": the JPEG file has ", found.num_components, " colour components",
                            inks ? " (CMYK)" : "", "; convert it to grey or RGB"));
  }
  Image image{
      static_cast<int>(found.image_height), static_cast<int>(found.image_width), found.num_components, {}};
  image.pixels.resize(index(image.height) * index(image.row_size()));
  expect(decoder.read_rows(image.channels, image.pixels.data()));
  return image;
}

#define GLOSS_TEXT_OF(number) #number
#define GLOSS_EXPANDED_TEXT_OF(number) GLOSS_TEXT_OF(number)

std::string jpeg_version() { return GLOSS_EXPANDED_TEXT_OF(LIBJPEG_TURBO_VERSION); }

}  // namespace gloss
