// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/documents/linked_words.h"
#include "pipeline/documents/mark.h"

namespace gloss {

/// A mark and the number of target words before it.
struct PlacedMark {
  std::size_t mark = 0, words_before = 0;
  bool operator==(const PlacedMark&) const = default;
};

/// A text with marks, and its translation.
struct MarkedPair {
  std::string_view source{};
  std::span<const Mark> marks{};
  std::string_view target{};
};

/// True if a mark touches the word after it rather than the one before.
bool belongs_to_next(std::string_view source, const Mark& mark);

/// The order and places of the marks of a text in its translation: each once, pairs nested as in the text.
/// - A pair is around the consecutive target words that belong most to the source words in it: those that
///   maximise the sum of (share - 1/2), at least one if any is free. Words of its siblings are not free.
/// - A mark alone, or a pair without words, stays beside the translation of the word that it touches in the
///   text, or at the begin or end of the pair or sentence if it is there in the text; not before the mark
///   that ends a sentence unless it is there in the text.
std::vector<PlacedMark> place_marks(const MarkedPair&, const LinkedWords& words);

}  // namespace gloss
