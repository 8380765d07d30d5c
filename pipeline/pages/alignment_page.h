// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/word_alignment.h"

namespace gloss {

/// The layer and head that an alignment page shows first, numbered from 0; head -1 is the mean over all
/// heads.
struct AlignmentView {
  int layer = 0, head = -1;
};

/// The introductions of a page of sentence pairs, of one of texts that an encoder or a decoder reads, of one
/// of stories, whose sentences are the source and whose looks at them are the target, and of one of texts,
/// whose labels are the target.
extern const char* const kPairsIntroduction;
extern const char* const kEncoderIntroduction;
extern const char* const kDecoderIntroduction;
extern const char* const kStoriesIntroduction;
extern const char* const kTextsIntroduction;

/// A self-contained HTML page that shows the attention of all layers and heads between the words of sentence
/// pairs. Skips pairs without words.
std::string alignment_page(std::span<const AlignedPair>, const std::string& title, AlignmentView first_view,
                           const std::string& introduction = kPairsIntroduction);

/// Weights in thousandths, row by row; more precision would not be visible on a page.
nlohmann::json short_weights(const WordAlignment&);

/// The attention between the words of a sentence pair as text, with a row for each target word and a column
/// for each source word. Words are cut to `widest_row` characters at the start of a row.
std::string heat_map_text(const std::vector<std::string>& source, const std::vector<std::string>& target,
                          const WordAlignment&, int widest_row = 24);

}  // namespace gloss
