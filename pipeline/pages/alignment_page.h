// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/data/word_alignment.h"

namespace gloss {

/// The layer and head that an alignment page shows first, numbered from 0; head -1 is the mean over all
/// heads.
struct AlignmentView {
  int layer = 0, head = -1;
};

/// A self-contained HTML page that shows the attention of all layers and heads between the words of sentence
/// pairs. Skips pairs without words.
std::string alignment_page(std::span<const AlignedPair>, const std::string& title, AlignmentView first_view);

/// The attention between the words of a sentence pair as text, with a row for each target word and a column
/// for each source word.
std::string heat_map_text(const std::vector<std::string>& source, const std::vector<std::string>& target,
                          const WordAlignment&);

}  // namespace gloss
