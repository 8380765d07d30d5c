// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "base/byte_range.h"

namespace gloss {

/// A piece of a text that its translation must have exactly once, as it is.
struct KeptText {
  ByteRange place{};  ///< in the text
  /// The bytes of the document that stand for it; none: those of any text.
  std::optional<std::string> bytes{};
};

}  // namespace gloss
