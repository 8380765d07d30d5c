// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/image_file.h"

#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "pipeline/media/jpeg_reader.h"
#include "pipeline/media/png_reader.h"
#include "pipeline/media/pnm_reader.h"

namespace gloss {
namespace {

constexpr std::uintmax_t kLargestImageFile = std::uintmax_t{1} << 28;

/// The name of another format of images that begins so; "" for none that is known.
std::string other_format(std::string_view bytes) {
  if (bytes.starts_with("GIF8")) return "a GIF image";
  if (bytes.starts_with("BM")) return "a BMP image";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "a WebP image";
  if (bytes.starts_with("II*") || bytes.starts_with("MM")) return "a TIFF image";
  if (bytes.substr(0, 12).ends_with("ftypavif")) return "an AVIF image";
  return "";
}

}  // namespace

Image decode_image(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\x89PNG")) return read_png(bytes, name);
  if (bytes.starts_with("\xff\xd8")) return read_jpeg(bytes, name);
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6') return read_pnm(bytes, name);
  const std::string other = other_format(bytes);
  throw InputError(concat(name, ": ",
                          bytes.empty()   ? "the file is empty"
                          : other.empty() ? "not an image that is known"
                                          : other,
                          "; expected a PNG, JPEG or PNM file"));
}

Image read_image(const std::string& path) {
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > kLargestImageFile) {
    throw InputError(concat(path, ": the file has ", size, " bytes; expected an image of at most ",
                            kLargestImageFile, " bytes"));
  }
  return decode_image(read_file(path), path);
}

}  // namespace gloss
