// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// `text` with the ASCII letters in lower case.
std::string lower_case(std::string text);

}  // namespace gloss
