// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/byte_range.h"

namespace gloss {

/// The value of an attribute in the markup of a text, which is translated.
struct AttributeText {
  std::size_t mark = 0;   ///< number of the mark that has it
  ByteRange in_mark{};    ///< its place in the bytes of the mark, with its quotes
  ByteRange in_source{};  ///< the same in the source of the text
  std::string text{};     ///< as one line
  char quote = '"';       ///< for its translation
};

}  // namespace gloss
