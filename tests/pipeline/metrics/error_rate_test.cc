// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/error_rate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
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

/// Counts the edits with a table of all distances; the way back prefers substitutions, then deletions.
std::vector<double> table_figures(const std::string& reference, const std::string& hypothesis) {
  const std::size_t rows = reference.size(), columns = hypothesis.size();
  std::vector<std::vector<int>> table(rows + 1, std::vector<int>(columns + 1));
  for (std::size_t r = 0; r <= rows; ++r) {
    for (std::size_t c = 0; c <= columns; ++c) {
      if (r == 0 || c == 0) {
        table[r][c] = static_cast<int>(r + c);
        continue;
      }
      const int cost = reference[r - 1] == hypothesis[c - 1] ? 0 : 1;
      table[r][c] = std::min({table[r - 1][c - 1] + cost, table[r - 1][c] + 1, table[r][c - 1] + 1});
    }
  }
  std::vector<double> figures{0, 0, 0, static_cast<double>(rows)};
  std::size_t r = rows, c = columns;
  while (r > 0 && c > 0) {
    const int cost = reference[r - 1] == hypothesis[c - 1] ? 0 : 1;
    if (table[r][c] == table[r - 1][c - 1] + cost) {
      figures[0] += cost;
      --r;
      --c;
    } else if (table[r][c] == table[r - 1][c] + 1) {
      ++figures[1];
      --r;
    } else {
      ++figures[2];
      --c;
    }
  }
  figures[1] += static_cast<double>(r);
  figures[2] += static_cast<double>(c);
  return figures;
}

TEST(ErrorRate, OfLongLinesIsThatOfTheWholeTable) {
  Random random(5);
  for (int trial = 0; trial < 60; ++trial) {
    const std::uint64_t letters = trial % 3 == 0 ? 2 : 20, longest = trial % 5 == 0 ? 2'000 : 300;
    const auto letter = [&] { return static_cast<char>('a' + random.below(letters)); };
    std::string reference, hypothesis;
    for (std::uint64_t i = random.below(longest); i > 0; --i) reference += letter();
    if (trial % 2 == 0) {  // similar: some letters are left out, added or changed
      for (const char c : reference) {
        const std::uint64_t change = random.below(20);
        if (change != 0) hypothesis += change == 1 ? letter() : c;
        if (change == 2) hypothesis += letter();
      }
      if (trial % 4 == 0) hypothesis.erase(0, random.below(hypothesis.size() + 1));
    } else {
      for (std::uint64_t i = random.below(longest); i > 0; --i) hypothesis += letter();
    }
    EXPECT_EQ(figures_of(ErrorUnit::characters, {reference}, hypothesis),
              table_figures(reference, hypothesis))
        << reference << "\n"
        << hypothesis;
  }
}

// A table of all pairs would have 10^12 cells.
TEST(ErrorRate, OfSimilarTextsTakesTimeByTheirDifference) {
  std::string reference, hypothesis;
  for (int word = 0; word < 1'000'000; ++word) {
    reference += concat(word, " ");
    hypothesis += concat(word % 100'000 == 7 ? word + 1 : word, " ");
  }
  EXPECT_EQ(figures_of(ErrorUnit::words, {reference}, hypothesis),
            (std::vector<double>{10, 0, 0, 1'000'000}));
}

TEST(ErrorRate, OfHugeTextsThatDifferIsRefused) {
  const std::vector<std::unique_ptr<Metric>> metrics = [] {
    std::vector<std::unique_ptr<Metric>> all;
    all.push_back(std::make_unique<ErrorRate>(ErrorUnit::characters));
    return all;
  }();
  const std::string reference(4'000'000, 'a'), hypothesis(3'999'000, 'b');
  try {
    compare_all(metrics, {{"a", hypothesis}}, {{"a"}, {reference}}, 1);
    FAIL() << "was compared";
  } catch (const InputError& error) {
    for (const char* part : {"line 2", "4000000", "3999000"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace gloss
