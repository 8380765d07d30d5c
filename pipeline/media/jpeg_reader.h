// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "pipeline/reading/image.h"

namespace gloss {

/// Decodes a JPEG file, grey or coloured. Throws InputError with the name of the file; CMYK is refused.
Image read_jpeg(std::string_view bytes, const std::string& name);

/// The version of libjpeg-turbo.
std::string jpeg_version();

}  // namespace gloss
