// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pipeline/documents/linked_words.h"
#include "pipeline/documents/mark.h"

namespace gloss {

/// A pair of marks, or a mark alone, with the words in it.
struct MarkNode {
  std::size_t open = 0, close = 0;  ///< numbers of its marks; the same for a mark alone
  WordSpan sources{}, targets{};
  std::vector<std::size_t> children{};  ///< numbers of nodes, in the order of the text
};

/// The marks of a text as a tree, parents before their children. The first node is the text itself and has no
/// marks. The target words are not known yet, except for the first.
std::vector<MarkNode> mark_tree(std::span<const Mark> marks, const LinkedWords& words);

}  // namespace gloss
