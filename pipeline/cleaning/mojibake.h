// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// Decodes UTF-8 that was read as Latin-1 or CP1252, perhaps several times. A run of characters beyond ASCII
/// is decoded only if all of it, as bytes of these encodings, is valid UTF-8. Returns true if the text
/// changed.
bool repair_mojibake(std::string& text);

}  // namespace gloss
