// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/error_rate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "base/text.h"
#include "pipeline/metrics/figures.h"

namespace gloss {
namespace {

/// The figures of a line.
std::vector<double> figures_of(ErrorUnit unit, const std::vector<std::string>& references,
                               const std::string& hypothesis) {
  const std::unique_ptr<Comparer> comparer = ErrorRate(unit).comparer();
  std::vector<double> figures(4);
  comparer->set_references(references);
  comparer->compare(hypothesis, figures);
  return figures;
}

TEST(ErrorRate, CountsEachKindOfEdit) {
  using Figures = std::vector<double>;
  const auto words = [](const std::string& reference, const std::string& hypothesis) {
    return figures_of(ErrorUnit::words, {reference}, hypothesis);
  };
  EXPECT_EQ(words("one two three", "one two three"), (Figures{0, 0, 0, 3}));
  EXPECT_EQ(words("one two three", " one  four\tthree "), (Figures{1, 0, 0, 3}));
  EXPECT_EQ(words("one two three", "two three"), (Figures{0, 1, 0, 3}));
  EXPECT_EQ(words("one two three", "one one two three four"), (Figures{0, 0, 2, 3}));
  EXPECT_EQ(words("one two", ""), (Figures{0, 2, 0, 2}));
  EXPECT_EQ(words("", "one two"), (Figures{0, 0, 2, 0}));
  EXPECT_EQ(words("One", "one"), (Figures{1, 0, 0, 1})) << "capitals count";
  EXPECT_EQ(figures_of(ErrorUnit::characters, {"süß und"}, "süss und"), (Figures{1, 0, 1, 7}));
  EXPECT_EQ(figures_of(ErrorUnit::characters, {"a b"}, " ab "), (Figures{0, 1, 0, 3}));
}

TEST(ErrorRate, TakesTheReferenceWithTheLowestRate) {
  const std::vector<std::string> references{"one two three", "two", "", "one two four five"};
  EXPECT_EQ(figures_of(ErrorUnit::words, references, "one two four"), (std::vector<double>{0, 1, 0, 4}));
  EXPECT_EQ(figures_of(ErrorUnit::words, {"", "one"}, "two"), (std::vector<double>{1, 0, 0, 1}));
}

TEST(ErrorRate, DividesByTheLengthOfTheReferences) {
  const ErrorRate wer(ErrorUnit::words);
  const std::vector<double> sums{3, 2, 1, 48};
  EXPECT_DOUBLE_EQ(wer.score(sums), 12.5);
  EXPECT_DOUBLE_EQ(wer.sample_score(std::vector<float>{3, 2, 1, 48}), 12.5);
  EXPECT_DOUBLE_EQ(wer.score(std::vector<double>{0, 0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(wer.score(std::vector<double>{0, 0, 2, 0}), 100);
  EXPECT_NE(wer.details(sums).find("3 substituted, 2 deleted, 1 inserted; 48 words"), std::string::npos);
  EXPECT_TRUE(wer.lower_is_better());
}

/// The least number of edits, by trying all.
int fewest_edits(const std::string& reference, const std::string& hypothesis) {
  if (reference.empty()) return static_cast<int>(hypothesis.size());
  if (hypothesis.empty()) return static_cast<int>(reference.size());
  const std::string r = reference.substr(1), h = hypothesis.substr(1);
  if (reference[0] == hypothesis[0]) return fewest_edits(r, h);
  return 1 + std::min({fewest_edits(r, h), fewest_edits(r, hypothesis), fewest_edits(reference, h)});
}

TEST(ErrorRate, FindsTheFewestEdits) {
  Random random(3);
  const auto letters = [&] {
    std::string text;
    for (std::uint64_t i = random.below(7); i > 0; --i) text += static_cast<char>('a' + random.below(3));
    return text;
  };
  for (int trial = 0; trial < 200; ++trial) {
    const std::string reference = letters(), hypothesis = letters();
    const std::vector<double> figures = figures_of(ErrorUnit::characters, {reference}, hypothesis);
    EXPECT_EQ(figures[0] + figures[1] + figures[2], fewest_edits(reference, hypothesis))
        << reference << " " << hypothesis;
    EXPECT_EQ(figures[3] - figures[1] + figures[2], static_cast<double>(hypothesis.size()));
  }
}

}  // namespace
}  // namespace gloss
