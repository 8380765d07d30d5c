// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/text_windows.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/text.h"
#include "pipeline/examples/pair_encoding.h"
#include "tests/support/heard_listener.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// Encodes a line, a number, as a single token, followed by a random token with dropout.
EncodedLine encode_number(std::string_view line, Random* dropout) {
  EncodedLine encoded;
  TokenId number = 0;
  parse_number(line, number);
  encoded.tokens = {number};
  if (dropout != nullptr) encoded.tokens.push_back(static_cast<TokenId>(dropout->below(1'000'000)));
  encoded.tokens.push_back(2);
  return encoded;
}

using Row = std::vector<TokenId>;

struct TextWindowsTest : testing::Test {
  /// A text of the numbers `first` to `last` - 1 on both sides.
  std::shared_ptr<const IndexedPairs> text(int first, int last) {
    std::string lines;
    for (int i = first; i < last; ++i) lines += std::to_string(i) + "\n";
    const std::string path = folder.write("text" + std::to_string(first), lines);
    return std::make_shared<IndexedPairs>(ParallelFiles{path, path, "", ""}, folder.path(), heard);
  }
  TextWindows windows(std::vector<WeightedText> texts) {
    const auto encoder =
        std::make_shared<PairEncoder>(encode_number, encode_number, CorpusSettings{max_length}, dropout);
    return TextWindows(std::move(texts), encoder, settings);
  }
  /// The source rows of an epoch by their number, all windows together.
  std::multimap<TokenId, Row> rows_of(TextWindows& windows, std::int64_t epoch) {
    std::multimap<TokenId, Row> rows;
    for (std::int64_t number = 0; number < windows.windows(); ++number) {
      const auto corpus = windows.window(epoch, number, {});
      for (PairIndex pair = 0; pair < corpus->size(); ++pair) {
        rows.emplace(corpus->source(pair)[0], Row(corpus->source(pair).begin(), corpus->source(pair).end()));
      }
    }
    return rows;
  }

  TemporaryDirectory folder;
  HeardListener heard;
  WindowSettings settings;
  bool dropout = false;
  int max_length = 10;
};

TEST_F(TextWindowsTest, KeepATextThatFitsIntoOneWindow) {
  TextWindows whole = windows({{text(0, 1000)}});
  EXPECT_EQ(whole.windows(), 1);
  const auto corpus = whole.window(0, 0, {});
  ASSERT_EQ(corpus->size(), 1000u);
  EXPECT_EQ(corpus->source(999)[0], 999);
  EXPECT_EQ(whole.window(1, 0, {}), corpus) << "not encoded again";
}

TEST_F(TextWindowsTest, HoldEveryLineOnceInEachEpochInAnotherOrder) {
  settings.lines = 600;
  settings.threads = 3;
  TextWindows some = windows({{text(0, 3000)}});
  EXPECT_EQ(some.windows(), 5);
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    const auto rows = rows_of(some, epoch);
    EXPECT_EQ(rows.size(), 3000u);
    for (TokenId line = 0; line < 3000; ++line) ASSERT_EQ(rows.count(line), 1u);
  }
  const auto first_rows = [&](std::int64_t epoch) {
    const auto corpus = some.window(epoch, 0, {});
    EXPECT_GT(corpus->size(), 300u);
    EXPECT_LT(corpus->size(), 900u);
    return corpus->source(0)[0];
  };
  std::set<TokenId> starts;
  for (std::int64_t epoch = 0; epoch < 10; ++epoch) starts.insert(first_rows(epoch));
  EXPECT_GT(starts.size(), 1u);
}

TEST_F(TextWindowsTest, SeeEachTextAccordingToItsWeight) {
  settings.lines = 700;
  TextWindows mixed =
      windows({{text(0, 700), 1}, {text(1000, 1300), 3}, {text(2000, 2600), 0.5}, {text(3000, 3100), 1.5}});
  std::map<TokenId, int> seen;
  for (std::int64_t epoch = 0; epoch < 4; ++epoch) {
    const auto rows = rows_of(mixed, epoch);
    const auto count = [&](TokenId first, TokenId last) {
      return std::distance(rows.lower_bound(first), rows.lower_bound(last));
    };
    EXPECT_EQ(count(0, 1000), 700);
    EXPECT_EQ(count(1000, 2000), 900);
    EXPECT_NEAR(static_cast<double>(count(2000, 3000)), 300, 60);
    EXPECT_NEAR(static_cast<double>(count(3000, 4000)), 150, 30);
    for (const auto& [line, row] : rows) ++seen[line];
  }
  EXPECT_EQ(seen.size(), 1700u);
  for (const auto& [line, times] : seen) {
    ASSERT_EQ(times, line < 1000 ? 4 : line < 2000 ? 12 : line < 3000 ? 2 : 6) << line;
  }
}

TEST_F(TextWindowsTest, DropSubwordsByEpochLineAndSeedOnly) {
  dropout = true;
  settings.lines = 300;
  const auto all = text(0, 1000);
  TextWindows one = windows({{all, 2}});
  settings.threads = 4;
  TextWindows other = windows({{all, 2}});
  settings.lines = 1'000'000;
  TextWindows whole = windows({{all, 2}});
  const auto rows = rows_of(one, 0);
  EXPECT_EQ(rows_of(other, 0), rows);
  EXPECT_EQ(rows_of(whole, 0).size(), rows.size());
  EXPECT_NE(rows_of(whole, 1), rows_of(whole, 0)) << "one window, but drawn anew";
  const auto twice = rows.equal_range(5);
  EXPECT_NE(twice.first->second, std::next(twice.first)->second);
  const auto corpus = whole.window(0, 0, {});
  EXPECT_NE(corpus->source(0)[1], corpus->target(0)[1]) << "each side draws its own";
  settings.seed = 2;
  TextWindows seeded = windows({{all, 2}});
  EXPECT_NE(rows_of(seeded, 0), rows_of(whole, 0));
}

TEST_F(TextWindowsTest, EncodeLinesThatDropoutMakesTooLongWithoutIt) {
  dropout = true;
  max_length = 1;
  TextWindows whole = windows({{text(0, 10)}});
  const auto rows = rows_of(whole, 0);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows.find(3)->second, (Row{3, 2}));
}

}  // namespace
}  // namespace gloss
