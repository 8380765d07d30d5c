// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/alignment/token_pairs.h"

namespace gloss {

/// The words of the sentences of one side as numbers, and their spelling.
struct SideWords {
  TokenLines sentences;
  std::vector<std::u32string> spelling;  ///< of each word
};

/// The words of both sides of a document.
struct DocumentWords {
  SideWords source, target;
};

/// Splits sentences into words for statistics of a small text, without case and accents: of words with
/// letters and digits the first five characters, which leaves out most inflections; each other character, and
/// each character of scripts without spaces, is a word of its own. Only the first 1,000 words of a sentence
/// count.
SideWords words_of(const std::vector<std::string>& sentences);

}  // namespace gloss
