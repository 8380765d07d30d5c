// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/linked_words.h"

namespace gloss {

/// Changes a translation so that it has each piece exactly once, as it is in `source`: where it has it
/// already; in place of the words that belong most to it; or beside the translation of the next word. Returns
/// where the pieces are in the translation, in its order, with their bytes.
std::vector<KeptText> restore_kept(std::string_view source, std::span<const KeptText> kept,
                                   LinkedWords& words, std::string& target);

}  // namespace gloss
