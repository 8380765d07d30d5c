// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/line_lengths.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace gloss {
namespace {

LineLengths lengths_of(std::int64_t lines) {
  LengthCounts counts;
  for (std::int64_t length = lines; length > 0; --length) counts.add(length);
  return counts.lengths();
}

TEST(LineLengths, HaveAMeanAndPercentiles) {
  const LineLengths all = lengths_of(2000);
  EXPECT_EQ(all.lines, 2000);
  EXPECT_EQ(all.mean, 1000.5);
  EXPECT_EQ(all.percentile_99, 1980);
  EXPECT_EQ(all.percentile_99_9, 1998);
  EXPECT_EQ(all.longest, 2000);
  EXPECT_EQ(lengths_of(999).percentile_99_9, 999) << "998 of 999 lines are less than 99.9 %";
  EXPECT_EQ(lengths_of(1).percentile_99, 1);
  EXPECT_EQ(lengths_of(0).longest, 0);
}

TEST(LineLengths, AreTheSameInAnyOrderAndParts) {
  LengthCounts whole, first, second;
  for (const int length : {3, 1, 4, 1, 5, 9, 2, 6}) {
    whole.add(length);
    (length % 2 == 0 ? first : second).add(length);
  }
  second.add(first);
  EXPECT_EQ(lengths_json({second.lengths()}), lengths_json({whole.lengths()}));
  EXPECT_EQ(whole.lengths().mean, 3.88) << "31 / 8, rounded";
}

TEST(LearnedLengths, OfAStartingModelCount) {
  LearnedLengths learned{lengths_of(50), lengths_of(60)};
  EXPECT_EQ(learned.usual(), 50);
  learned.before = 70;
  EXPECT_EQ(learned.usual(), 70);
  learned.before = 7;
  EXPECT_EQ(learned.usual(), 50);
  learned.before = 0;
  EXPECT_EQ(learned.usual(), 0) << "unknown";
  const LearnedLengths read = read_lengths(lengths_json(learned), "file");
  EXPECT_EQ(read.before, 0);
  EXPECT_EQ(lengths_json(read), lengths_json(learned));
}

TEST(LearnedLengths, ExpansionAllowsTheTargetsOfNearlyAllPairs) {
  LengthCounts tenths;
  for (int pair = 0; pair < 999; ++pair) tenths.add(tenths_of_source(6, 46));
  tenths.add(tenths_of_source(1, 500));
  EXPECT_DOUBLE_EQ(expansion_of(tenths), 6) << "46 tokens, of which ten are always allowed";
  EXPECT_EQ(tenths_of_source(3, 9), 0);
  EXPECT_EQ(tenths_of_source(0, 11), 10);
  EXPECT_DOUBLE_EQ(expansion_of({}), 0);
  LearnedLengths learned{.source = lengths_of(50), .expansion = 6.1};
  EXPECT_DOUBLE_EQ(read_lengths(lengths_json(learned), "file").expansion, 6.1);
}

TEST(LearnedLengths, ThatAreDamagedAreNamed) {
  const nlohmann::json whole = lengths_json({lengths_of(5), lengths_of(6), 7});
  const auto refused = [](const nlohmann::json& lengths, const std::string& part) {
    try {
      read_lengths(lengths, "file");
      ADD_FAILURE() << lengths.dump() << " was read";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused(nullptr, "source");
  refused(nlohmann::json::object(), "source");
  nlohmann::json wrong = whole;
  wrong["source"]["longest"] = "5";
  refused(wrong, "longest");
  wrong = whole;
  wrong["before"] = -1;
  refused(wrong, "before");
  wrong = whole;
  wrong["expansion"] = 1e9;
  refused(wrong, "expansion");
  wrong["expansion"] = "2";
  refused(wrong, "expansion");
  wrong = whole;
  wrong["others"] = 1;
  refused(wrong, "others");
}

}  // namespace
}  // namespace gloss
