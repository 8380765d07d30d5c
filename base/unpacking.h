// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/lines.h"

namespace gloss {

/// Formats of compressed files.
enum class Packing { none, gzip, zstandard, xz, bzip2 };

/// The format of a file that begins with `start`, by its magic number.
Packing packing_of(std::string_view start);

/// The decompressed bytes of `packed`, which errors call `name`.
std::unique_ptr<ByteStream> unpacked(Packing, std::unique_ptr<ByteStream> packed, const std::string& name);

}  // namespace gloss
