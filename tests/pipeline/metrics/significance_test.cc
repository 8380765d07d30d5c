// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/significance.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/metrics/bleu.h"
#include "pipeline/metrics/numpy_random.h"

namespace gloss {
namespace {

NumpyRandom started(const std::string& seed) { return NumpyRandom(seed_digits(seed, "seed")); }

// Expected numbers from NumPy's default_rng.
TEST(NumpyRandom, GivesNumpysBits) {
  const std::vector<std::pair<std::string, std::vector<std::uint64_t>>> cases{
      {"12345", {4193609425186963869u, 5843160025838961886u, 14708796524633321433u}},
      {"0", {11749869230777074271u, 4976686463289251617u, 755828109848996024u}},
      {"1099511627783", {15307346044642009514u, 4709548916763817589u, 2836937976252648324u}},
      {"123456789012345678901234567890", {6372204611448533116u, 6194109736856590592u, 2785364361467880444u}}};
  for (const auto& [seed, numbers] : cases) {
    NumpyRandom random = started(seed);
    for (const std::uint64_t number : numbers) EXPECT_EQ(random.bits64(), number) << seed;
  }
}

TEST(NumpyRandom, GivesNumpysChoices) {
  NumpyRandom random = started("12345");
  for (const std::uint32_t index : {2100, 682, 2369, 951, 613, 2395, 1930, 2031, 2969, 1174})
    EXPECT_EQ(random.below(3004), index);
  // With this limit, many numbers are rejected.
  NumpyRandom wide = started("12345");
  for (const std::uint32_t index :
       {2097645094u, 682008066u, 2365940964u, 950275018u, 2392096371u, 2028764011u, 2518275128u, 1794926260u})
    EXPECT_EQ(wide.below(3000000000u), index);
}

TEST(NumpyRandom, GivesNumpysBooleans) {
  const std::string expected =
      "101110011000001111111111010011011011000110001101010011000101110001111011001"
      "000110010011110010011101010001100100011101000100010101001101111110111001000";
  for (const int piece : {1, 7, 8, 32}) {
    NumpyRandom random = started("12345");
    NumpyBits bits(random);
    std::string text;
    while (text.size() + 32 < expected.size()) {
      const std::uint32_t taken = bits.take(piece);
      for (int i = 0; i < piece; ++i) text += (taken >> i) & 1 ? '1' : '0';
    }
    EXPECT_EQ(text, expected.substr(0, text.size())) << piece;
  }
}

TEST(NumpyRandom, SeedsAreIntegersOrNone) {
  EXPECT_THROW(seed_of("12x"), UsageError);
  EXPECT_THROW(seed_of(""), UsageError);
  EXPECT_THROW(seed_of("-1"), UsageError);
  EXPECT_EQ(seed_of("None").text, "none");
  EXPECT_NE(seed_of("none").digits, seed_of("none").digits);
  EXPECT_EQ(seed_of("4294967296").digits, (std::vector<std::uint32_t>{0, 1}));
}

/// A metric whose score is its only figure.
class Plain : public Metric {
 public:
  std::string name() const override { return "plain"; }
  SignatureFields signature() const override { return {}; }
  std::size_t figures() const override { return 1; }
  std::unique_ptr<Comparer> comparer() const override { return nullptr; }
  double score(std::span<const double> sums) const override { return sums[0]; }
  double sample_score(std::span<const float> sums) const override { return sums[0]; }
};

Figures figures_of(const std::vector<double>& values) {
  Figures figures(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) figures.row(i)[0] = values[i];
  return figures;
}

// Expected: the row sums of numpy.random.default_rng(12345).choice(10, size=(8, 10)).
TEST(Bootstrap, DrawsRowsAsNumpyDoes) {
  const std::vector<double> scores =
      bootstrap_scores(Plain(), figures_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 8, Seed{});
  EXPECT_EQ(scores, (std::vector<double>{51, 47, 47, 40, 35, 25, 68, 51}));
}

TEST(Bootstrap, TheIntervalExcludesAFortiethOnEachSide) {
  std::vector<double> scores;
  for (int i = 0; i < 80; ++i) scores.push_back(79 - i);
  const Interval interval = confidence_interval(scores);
  EXPECT_DOUBLE_EQ(interval.mean, 39.5);
  EXPECT_DOUBLE_EQ(interval.half_width, (77.0 - 2.0) / 2);
}

TEST(PairedTests, IdenticalSystemsDoNotDifferSignificantly) {
  const Figures same = figures_of({3, 1, 4, 1, 5});
  const std::vector<double> scores = bootstrap_scores(Plain(), same, 50, Seed{});
  EXPECT_DOUBLE_EQ(paired_bootstrap_p(scores, scores, 0), 1.0 / 51);
  EXPECT_DOUBLE_EQ(randomization_p(Plain(), same, same, 50, Seed{}), 1.0 / 51);
}

// All 2^n assignments are equally probable, so p is close to the fraction counted by hand.
TEST(PairedTests, RandomizationCountsLargerDifferences) {
  const Figures first = figures_of({5, 0, 0, 0, 0, 0, 0, 0, 0}),
                second = figures_of({0, 1, 1, 1, 1, 1, 1, 0, 0});
  // |sum of +-5 and six +-1| > 1 unless the six nearly undo the five: all of one sign (2 of 64 times 1/2
  // ...).
  int larger = 0;
  for (int signs = 0; signs < 128; ++signs) {
    int sum = signs & 64 ? 5 : -5;
    for (int i = 0; i < 6; ++i) sum += signs >> i & 1 ? 1 : -1;
    larger += std::abs(sum) > 1;
  }
  EXPECT_NEAR(randomization_p(Plain(), first, second, 20000, Seed{}), larger / 128.0, 0.01);
}

}  // namespace
}  // namespace gloss
