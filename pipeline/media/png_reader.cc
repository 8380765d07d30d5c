// SPDX-License-Identifier: Apache-2.0
// The only file that knows libpng.
#include "pipeline/media/png_reader.h"

#include <png.h>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// The state of libpng while it reads one image.
class PngDecoding {
 public:
  explicit PngDecoding(const std::string& name) : name_(name) { image.version = PNG_IMAGE_VERSION; }
  ~PngDecoding() { png_image_free(&image); }
  PngDecoding(const PngDecoding&) = delete;
  PngDecoding& operator=(const PngDecoding&) = delete;

  void expect(int succeeded) const {
    if (succeeded != 0) return;
    throw InputError(concat(name_, ": the PNG file is damaged (", image.message, "); replace it"));
  }

  png_image image{};

 private:
  const std::string& name_;
};

}  // namespace

Image read_png(std::string_view bytes, const std::string& name) {
  PngDecoding decoding(name);
  png_image& found = decoding.image;
  decoding.expect(png_image_begin_read_from_memory(&found, bytes.data(), bytes.size()));
  check_image_size(found.height, found.width, name);
  const bool coloured = (found.format & PNG_FORMAT_FLAG_COLOR) != 0;
  found.format = coloured ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  found.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // without gAMA, 16-bit files are encoded as 8-bit ones are
  Image image{static_cast<int>(found.height), static_cast<int>(found.width), coloured ? 3 : 1, {}};
  image.pixels.resize(index(image.height) * index(image.row_size()));
  const png_color white{255, 255, 255};
  decoding.expect(png_image_finish_read(&found, &white, image.pixels.data(), image.row_size(), nullptr));
  return image;
}

std::string png_version() { return png_get_libpng_ver(nullptr); }

}  // namespace gloss
