// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gloss {

/// The bytes of a text in base64 (RFC 4648, with padding); nothing if it is not valid.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace gloss
