// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>

namespace gloss {

/// The number of different phrases of web pages in a text.
std::size_t boilerplate_count(std::string_view text);

/// The number of signs that a text is a program or a message of one.
std::size_t code_signs(std::string_view text);

}  // namespace gloss
