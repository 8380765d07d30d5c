// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// The words of a line as a metric's tokenizer finds them, joined by spaces.
inline std::string tokenized(const std::string& tokenizer, const std::string& line) {
  std::string text, joined;
  std::vector<std::string_view> words;
  make_tokenizer(tokenizer)->tokenize(line, text, words);
  for (const std::string_view word : words) joined += (joined.empty() ? "" : " ") + std::string(word);
  return joined;
}

}  // namespace gloss
