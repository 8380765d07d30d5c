#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/aligning.h"

namespace gloss {

/// What an alignment page shows first; counted from 0, head -1 is the mean over the heads.
struct AlignmentView {
  int layer = 0, head = -1;
};

/// A self-contained HTML page with the attention of all layers and heads between the words of pairs. Pairs
/// without words are left out.
std::string alignment_page(std::span<const AlignedPair>, const std::string& title, AlignmentView first_view);

/// The attention between the words of a pair drawn with characters: a row for each target word, a column for
/// each source word.
std::string heat_map_text(const std::vector<std::string>& source, const std::vector<std::string>& target,
                          const WordAlignment&);

}  // namespace gloss
