// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "base/lines.h"

namespace gloss {

/// The first place at or after `offset` where a line of a regular file begins; its size if there is none.
/// Throws InputError.
std::int64_t line_begin(const std::string& path, std::int64_t offset);
/// The number of lines that begin in a part of a regular file. Throws InputError.
std::int64_t count_lines(const std::string& path, const FileRange&);

}  // namespace gloss
