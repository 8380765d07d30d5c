// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "pipeline/reading/image.h"

namespace gloss {

/// Decodes the first image of a PBM, PGM or PPM file, as text or binary (P1 to P6); larger numbers are scaled
/// to 255. Throws InputError with the name of the file.
Image read_pnm(std::string_view bytes, const std::string& name);

}  // namespace gloss
