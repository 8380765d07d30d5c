// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gloss {

/// The bytes of a text in base64 (RFC 4648, with padding); nothing if it is not valid.
std::optional<std::string> from_base64(std::string_view text);
/// The same the other way round.
std::string to_base64(std::span<const std::uint8_t> bytes);

}  // namespace gloss
