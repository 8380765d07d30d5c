// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/bleu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/lines.h"
#include "tests/support/shared_data.h"
#include "tests/support/tokenized.h"

namespace gloss {
namespace {

using Segments = std::vector<std::vector<std::string>>;

BleuSettings plain() {
  BleuSettings settings;
  settings.tokenize = "none";
  return settings;
}

TEST(Bleu, GivesTheCountsFoundByHand) {
  // 6 words; "a" is clipped to 1, "b c" and "c d" match, "b c d" matches, no four words match.
  const BleuScore score =
      corpus_bleu(std::vector<std::string>{"a a b c d x"}, Segments{{"a y b c d z z"}}, plain());
  EXPECT_EQ(score.correct, (std::vector<double>{4, 2, 1, 0}));
  EXPECT_EQ(score.totals, (std::vector<double>{6, 5, 4, 3}));
  EXPECT_EQ(score.hypothesis_length, 6);
  EXPECT_EQ(score.reference_length, 7);
  const double mean =
      std::exp((std::log(4.0 / 6) + std::log(2.0 / 5) + std::log(1.0 / 4) + std::log(0.5 / 3)) / 4);
  EXPECT_NEAR(score.score, 100 * std::exp(1 - 7.0 / 6) * mean, 1e-9);
}

TEST(Bleu, UsesTheHighestCountAndTheClosestLengthOfSeveralReferences) {
  const BleuScore score = corpus_bleu(std::vector<std::string>{"a a b b"},
                                      Segments{{"a a c", "b b b b b", "a b c d e"}}, plain());
  EXPECT_EQ(score.correct[0], 4);
  EXPECT_EQ(score.correct[1], 3);        // "a a", "a b", "b b"
  EXPECT_EQ(score.reference_length, 3);  // 3 and 5 are equally close to 4; the shorter one is used
}

TEST(Bleu, AcceptsAnyNumberOfReferencesPerLine) {
  const BleuScore score = corpus_bleu(std::vector<std::string>{"a b c d", "e f g h"},
                                      Segments{{"a b c d"}, {"x", "e f g h"}}, plain());
  EXPECT_DOUBLE_EQ(score.score, 100);
}

TEST(Bleu, IsZeroWithoutMatches) {
  EXPECT_EQ(corpus_bleu(std::vector<std::string>{""}, Segments{{"a"}}).score, 0);
  EXPECT_EQ(corpus_bleu(std::vector<std::string>{"a"}, Segments{{""}}).score, 0);
  EXPECT_EQ(corpus_bleu(std::vector<std::string>{}, Segments{}).score, 0);
  EXPECT_EQ(corpus_bleu(std::vector<std::string>{"\xff"}, Segments{{"\xfe"}}, plain()).correct[0], 1);
}

TEST(Bleu, AnUnknownTokenizerIsAUsageErrorThatListsTheKnownOnes) {
  BleuSettings settings;
  settings.tokenize = "14a";
  try {
    corpus_bleu(std::vector<std::string>{"a"}, Segments{{"a"}}, settings);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("13a"), std::string::npos) << error.what();
  }
}

TEST(Tokenizer13a, SplitsPunctuationButKeepsNumbers) {
  EXPECT_EQ(tokenized("13a", "Hello, world!"), "Hello , world !");
  EXPECT_EQ(tokenized("13a", "It's 1,000.50 (or 3-4)."), "It's 1,000.50 ( or 3 - 4 ) .");
  EXPECT_EQ(tokenized("13a", "a-b 7-b -7"), "a-b 7 - b -7");
  EXPECT_EQ(tokenized("13a", "&quot;x&quot; &amp;lt; <skipped>y"), "\" x \" < y");
  EXPECT_EQ(tokenized("13a", "wait..."), "wait . . .");
  EXPECT_EQ(tokenized("13a", "5."), "5 .");
  EXPECT_EQ(tokenized("13a", "ü.ü ü,5 5,ü"), "ü . ü ü , 5 5 , ü");
  EXPECT_EQ(tokenized("13a", "3.,4"), "3 . , 4");
}

TEST(Bleu, LowerCasesOnRequest) {
  BleuSettings settings = plain();
  settings.lowercase = true;
  EXPECT_DOUBLE_EQ(
      corpus_bleu(std::vector<std::string>{"ΟΔΥΣΣΕΥΣ Ä B C"}, Segments{{"Οδυσσευς ä b c"}}, settings).score,
      100);
}

// Expected scores from sacreBLEU 2.6.0.
TEST(Bleu, AgreesWithSacreBleuOnEightSystems) {
  GLOSS_NEED_SHARED_DATA(folder, "wmt17_en_de");
  const std::vector<std::string> references = read_lines(*folder + "/ref.de");
  Segments segments;
  for (const std::string& line : references) segments.push_back({line});
  std::ifstream expected(*folder + "/expected_bleu_chrf_sacrebleu_2.6.0.tsv");
  std::string line;
  std::getline(expected, line);
  int systems = 0;
  while (std::getline(expected, line)) {
    const std::vector<std::string> columns = split(line, '\t');
    const std::vector<std::string> hypotheses = read_lines(*folder + "/systems/" + columns[0] + ".txt");
    BleuSettings lower;
    lower.lowercase = true;
    const BleuScore score = corpus_bleu(hypotheses, segments);
    EXPECT_NEAR(score.score, std::stod(columns[1]), 1e-6) << columns[0];
    EXPECT_NEAR(corpus_bleu(hypotheses, segments, plain()).score, std::stod(columns[2]), 1e-6) << columns[0];
    EXPECT_NEAR(corpus_bleu(hypotheses, segments, lower).score, std::stod(columns[5]), 1e-6) << columns[0];
    std::istringstream counts(columns[10] + " " + columns[11]);
    for (std::size_t n = 0; n < 8; ++n) {
      double count = -1;
      counts >> count;
      EXPECT_EQ(n < 4 ? score.correct[n] : score.totals[n - 4], count);
    }
    EXPECT_EQ(std::to_string(score.hypothesis_length), columns[12]);
    EXPECT_EQ(std::to_string(score.reference_length), columns[13]);
    ++systems;
  }
  EXPECT_EQ(systems, 8);
}

}  // namespace
}  // namespace gloss
