// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>

#include "pipeline/metrics/tokenizers.h"
#include "tokenizer/white_space.h"

namespace gloss {

/// An example of a tokenizer for BLEU: splits at white space and hyphens.
class HyphenTokenizer : public WordTokenizer {
 public:
  std::string signature() const override { return "hyphen"; }
  void tokenize(std::string_view line, std::string& text, std::vector<std::string_view>& words) override {
    text.assign(line);
    std::ranges::replace(text, '-', ' ');
    split_words(text, words);
  }
};

}  // namespace gloss
