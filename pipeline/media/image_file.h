// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "pipeline/reading/image.h"

namespace gloss {

/// Decodes a PNG, JPEG or PNM file, recognised by its first bytes. Throws InputError with the name of the
/// file if it is another one, damaged or too large (image.h).
Image decode_image(std::string_view bytes, const std::string& name);
/// The same for a file. Throws InputError if it cannot be read or is not a regular file.
Image read_image(const std::string& path);

}  // namespace gloss
