// SPDX-License-Identifier: Apache-2.0
// The example of a rule on tokens.
#include "tests/extending/no_repeated_token.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/brute_force.h"
#include "tests/support/found_in_batches.h"

namespace gloss {
namespace {

TEST(Extending, ASearchFindsTheBestTranslationThatARuleAllows) {
  constexpr int kRows = 8, kLimit = 4;
  const TableDecoder decoder(5);
  const SearchInput input(random_sources(kRows, 4, 3));
  SearchSettings settings;
  settings.beam_size = 1000;  // more than there are sequences
  settings.max_length = kLimit;
  const auto allowed = [](const TableDecoder::Row& tokens) {
    return std::ranges::adjacent_find(tokens) == tokens.end();
  };
  const auto found = search_all(decoder, input, settings, {std::make_shared<NoRepeatedToken>()});
  const auto found_without = search_all(decoder, input, settings);
  int changed = 0;
  for (int row = 0; row < kRows; ++row) {
    const auto best =
        all_translations(decoder, row_of(input.sources, row), settings, kLimit, allowed).front();
    EXPECT_EQ(found[index(row)].front().tokens, best.tokens) << "row " << row;
    changed += found_without[index(row)].front().tokens != best.tokens;
  }
  EXPECT_GT(changed, 0) << "the rule had no effect";
}

}  // namespace
}  // namespace gloss
