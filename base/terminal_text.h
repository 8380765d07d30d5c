// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Text from files, made safe to print in messages and tables: control characters, which could clear a
/// terminal or forge lines, characters that reverse the direction of what follows, and invalid UTF-8 become
/// visible escapes such as \x1b and \u202e.
std::string terminal_text(std::string_view text);

}  // namespace gloss
