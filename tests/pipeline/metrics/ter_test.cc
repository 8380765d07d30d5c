// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/ter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/metrics/chrf.h"
#include "pipeline/metrics/figures.h"
#include "tests/support/corpus_score.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

using Words = std::vector<std::uint32_t>;

int plain_distance(const Words& a, const Words& b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<int>(i + j);
      } else {
        cost[i][j] =
            std::min({cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]), cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      }
    }
  }
  return cost[a.size()][b.size()];
}

Words random_words(Random& random, std::size_t longest, std::uint32_t different) {
  Words words(1 + random.below(longest));
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.below(different));
  return words;
}

TEST(EditDistance, EqualsThatOfAFullTableWithinTheBand) {
  Random random(1);
  EditDistance distance;
  for (int repetition = 0; repetition < 500; ++repetition) {
    const Words a = random_words(random, 24, 6), b = random_words(random, 24, 6);
    distance.compare(a, b);
    EXPECT_EQ(distance.distance(), plain_distance(a, b));
    std::vector<Edit> edits;
    distance.trace_back(edits);
    int cost = 0;
    std::size_t in_a = 0, in_b = 0;
    for (const Edit edit : edits) {
      cost += edit != Edit::keep;
      in_a += edit != Edit::insert;
      in_b += edit != Edit::remove;
    }
    EXPECT_EQ(cost, distance.distance());
    EXPECT_EQ(in_a, a.size());
    EXPECT_EQ(in_b, b.size());
  }
}

TEST(EditDistance, AChangeGivesTheDistanceOfTheChangedText) {
  Random random(2);
  EditDistance distance, whole;
  for (int repetition = 0; repetition < 500; ++repetition) {
    // Includes lengths that differ by more than the width of the band.
    const Words a = random_words(random, repetition % 2 ? 30 : 200, 8),
                b = random_words(random, repetition % 3 ? 30 : 300, 8);
    const std::size_t first = random.below(a.size()), length = random.below(a.size() - first + 1);
    Words changed(a.begin() + static_cast<std::ptrdiff_t>(first),
                  a.begin() + static_cast<std::ptrdiff_t>(first + length));
    random.shuffle(changed);
    if (changed.empty()) continue;
    Words after = a;
    std::copy(changed.begin(), changed.end(), after.begin() + static_cast<std::ptrdiff_t>(first));
    distance.compare(a, b);
    whole.compare(after, b);
    EXPECT_EQ(distance.distance_with(first, changed), whole.distance());
  }
}

TEST(TranslationEdits, GivesTheCountsFoundByHand) {
  TranslationEdits edits;
  const auto count = [&](const Words& hypothesis, const Words& reference) {
    return edits.count(hypothesis, reference);
  };
  EXPECT_EQ(count({1, 2, 3}, {1, 2, 3}), 0);
  EXPECT_EQ(count({}, {1, 2}), 2);
  EXPECT_EQ(count({1, 2}, {}), 2);
  EXPECT_EQ(count({4, 5, 1, 2, 3}, {1, 2, 3, 4, 5}), 1);     // one shift
  EXPECT_EQ(count({9, 2, 3, 4}, {1, 2, 3, 4}), 1);           // one substitution
  EXPECT_EQ(count({4, 5, 1, 2, 3, 8}, {1, 2, 3, 4, 5}), 2);  // a shift and a deletion
}

TEST(TranslationEdits, LongAndRepetitiveTextTerminates) {
  TranslationEdits edits;
  const Words same(20000, 1);
  EXPECT_EQ(edits.count(same, same), 0);
  Random random(3);
  const Words a = random_words(random, 3000, 3), b = random_words(random, 3000, 3);
  EXPECT_GT(edits.count(a, b), 0);
  EXPECT_EQ(edits.count(Words(5000, 1), Words{1}), 4999);
  EXPECT_EQ(edits.count(Words{1}, Words(5000, 1)), 4999);
}

TEST(Ter, UsesTheBestReferenceAndTheMeanLength) {
  EXPECT_DOUBLE_EQ(corpus_score(Ter({}), {"a b c"}, {{"a b d", "a b c d e"}}), 100 * 1.0 / 4);
  EXPECT_DOUBLE_EQ(corpus_score(Ter({}), {"a"}, {{""}}), 100);
  EXPECT_DOUBLE_EQ(corpus_score(Ter({}), {""}, {{""}}), 0);
}

TEST(Chrf, GivesTheScoresFoundByHand) {
  ChrfSettings settings;
  settings.char_order = 2;
  settings.beta = 1;
  // "ab" against "ac": 1 of 2 characters, 0 of 1 pairs: mean precision and recall 1/4.
  EXPECT_DOUBLE_EQ(corpus_score(Chrf(settings), {"a b"}, {{"ac"}}), 25);
  settings.word_order = 1;  // "a" and "b" against "ac": 0 of 2, 0 of 1
  EXPECT_DOUBLE_EQ(corpus_score(Chrf(settings), {"a b"}, {{"ac"}}), 100 * (0.25 * 2 / 3));
  EXPECT_EQ(Chrf(settings).name(), "chrF1+");
  EXPECT_DOUBLE_EQ(corpus_score(Chrf({}), {"x"}, {{"y", "x"}}), 100);
}

// Expected scores from sacreBLEU 2.6.0.
TEST(Ter, AgreesWithSacreBleuOnEightSystems) {
  GLOSS_NEED_SHARED_DATA(folder, "wmt17_en_de");
  References references;
  for (const std::string& line : read_lines(*folder + "/ref.de")) references.push_back({line});
  std::ifstream expected(*folder + "/expected_ter_sacrebleu_2.6.0.tsv");
  std::string line;
  std::getline(expected, line);
  int systems = 0;
  for (; std::getline(expected, line); ++systems) {
    const std::vector<std::string> columns = split(line, '\t');
    EXPECT_NEAR(corpus_score(Ter({}), read_lines(*folder + "/systems/" + columns[0] + ".txt"), references),
                std::stod(columns[1]), 1e-6)
        << columns[0];
  }
  EXPECT_EQ(systems, 8);
}

TEST(AllMetrics, AgreeWithSacreBleuOnEightSystems) {
  GLOSS_NEED_SHARED_DATA(folder, "wmt17_en_de");
  References references;
  for (const std::string& line : read_lines(*folder + "/ref.de")) references.push_back({line});
  std::vector<std::pair<std::size_t, ChrfSettings>> variants(4);
  variants[0].first = 6;
  variants[1].first = 7;
  variants[1].second.word_order = 2;
  variants[2].first = 8;
  variants[2].second.eps_smoothing = true;
  variants[2].second.beta = 3;
  variants[3].first = 9;
  variants[3].second.lowercase = true;
  std::ifstream expected(*folder + "/expected_bleu_chrf_sacrebleu_2.6.0.tsv");
  std::string line;
  std::getline(expected, line);
  while (std::getline(expected, line)) {
    const std::vector<std::string> columns = split(line, '\t');
    const std::vector<std::string> hypotheses = read_lines(*folder + "/systems/" + columns[0] + ".txt");
    for (const auto& [column, settings] : variants) {
      EXPECT_NEAR(corpus_score(Chrf(settings), hypotheses, references), std::stod(columns[column]), 1e-6)
          << columns[0];
    }
  }
}

}  // namespace
}  // namespace gloss
