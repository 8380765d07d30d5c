// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "base/byte_range.h"

namespace gloss {

/// The next space in HTML or XML, from `at` on, at which lines do not break, such as "&nbsp;"; empty, at the
/// end of the text, if there is none.
ByteRange next_fixed_space(std::string_view text, std::size_t at);

}  // namespace gloss
