// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/documents/kept_text.h"
#include "pipeline/documents/linked_words.h"

namespace gloss {

/// An edit of a translation for a piece that is kept.
struct KeptEdit : TargetEdit {
  std::size_t piece = 0;  ///< number of the piece; for text that is removed, the number of all pieces
};

/// Adds the spaces around the texts of edits, which are in the order of the translation, `target`: pieces are
/// separated from each other, and from the words beside them if they are inserted, where they are in
/// `source`.
void add_spaces(std::string_view source, std::span<const KeptText> kept, std::string_view target,
                std::vector<KeptEdit>& edits);

}  // namespace gloss
