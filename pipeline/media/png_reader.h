// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "pipeline/reading/image.h"

namespace gloss {

/// Decodes a PNG file. 16-bit numbers are rounded to 8 bits, palettes become colours, transparent pixels are
/// shown on white. Throws InputError with the name of the file.
Image read_png(std::string_view bytes, const std::string& name);

/// The version of libpng.
std::string png_version();

}  // namespace gloss
