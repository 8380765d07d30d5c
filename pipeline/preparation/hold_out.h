// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/listener.h"
#include "pipeline/examples/text_windows.h"

namespace gloss {

/// Lines of a training text that are set aside for validation.
struct HoldOut {
  std::size_t text = 0;  ///< the number of the training text
  std::shared_ptr<const IndexedPairs::Lines> lines;
  bool near = true;  ///< none of them has a near duplicate; false: only none that differs in nothing but
                     ///< case, spaces and punctuation
};

/// The most pairs that are set aside for a text of so many lines: one of 20, at most 1,000; 0 for fewer than
/// 200 lines, which are too few to measure anything.
std::int64_t held_out_lines(std::int64_t lines);

/// Chooses pairs or lines for validation from the text that an epoch repeats most (of these, the largest): at
/// random, always the same for the same texts, only those whose source has no near duplicate (NearDuplicates)
/// in another line of any of the texts; if nearly all lines have some, as in a small language, or if they are
/// items, those whose source is in no other line. Each label stays in the rest. None if there are fewer than
/// ten.
HoldOut choose_hold_out(std::span<const WeightedText> texts, Listener&);

/// The last lines of the text that an epoch repeats most (of these, the largest), which are neighbours: for
/// text whose documents have several lines. None of a text with too few.
HoldOut choose_passage(std::span<const WeightedText> texts);

/// Warns if lines of the validation text, or lines that differ from them only in spaces, punctuation or case,
/// are in the training texts: then the validation measures memory. Names the first one.
void warn_of_leaks(std::span<const WeightedText> texts, const IndexedPairs& validation, Listener&);

}  // namespace gloss
