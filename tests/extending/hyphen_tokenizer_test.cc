// SPDX-License-Identifier: Apache-2.0
// The example of a tokenizer for BLEU.
#include "tests/extending/hyphen_tokenizer.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

TEST(Extending, ATokenizerSplitsALineIntoWords) {
  HyphenTokenizer tokenizer;
  std::string text;
  std::vector<std::string_view> words;
  tokenizer.tokenize("a well-known  fact", text, words);
  EXPECT_EQ(words, (std::vector<std::string_view>{"a", "well", "known", "fact"}));
}

}  // namespace
}  // namespace gloss
