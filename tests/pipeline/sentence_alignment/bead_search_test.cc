// SPDX-License-Identifier: Apache-2.0
// The search for beads, and the evidence of vectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/files.h"
#include "base/index.h"
#include "base/lines.h"
#include "base/random.h"
#include "base/text.h"
#include "pipeline/sentence_alignment/bead_search.h"
#include "pipeline/sentence_alignment/sentence_aligner.h"
#include "tests/support/shared_data.h"

namespace gloss {
namespace {

/// Gains that are random but the same for the same bead.
class RandomGains : public BeadEvidence {
 public:
  static float gain(std::int64_t source, std::int64_t target, std::size_t shape) {
    Random random(index(source * 10'000 + target * 100) + shape);
    return static_cast<float>(random.uniform());
  }
  void add_to(const GainRow& row) const override {
    for (std::int64_t target = row.columns.first; target < row.columns.last; ++target) {
      for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
        row.at(target, shape) += gain(row.source, target, shape);
      }
    }
  }
};

/// The highest sum of gains from a cell to the end, by trying all ways.
double best_sum(std::int64_t source, std::int64_t target, std::int64_t sources, std::int64_t targets) {
  if (source == sources && target == targets) return 0;
  double best = -1e9;
  for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
    const std::int64_t i = source + kBeadShapes[shape].sources, j = target + kBeadShapes[shape].targets;
    if (i > sources || j > targets) continue;
    const auto gain = static_cast<double>(RandomGains::gain(source, target, shape));
    best = std::max(best, gain + best_sum(i, j, sources, targets));
  }
  return best;
}

TEST(BeadSearch, FindsTheBestOfAllWays) {
  const RandomGains gains;
  for (const auto& [sources, targets] :
       {std::pair{5, 6}, std::pair{6, 2}, std::pair{1, 5}, std::pair{0, 3}}) {
    double sum = 0;
    std::int64_t source = 0, target = 0;
    for (const Bead& bead : best_beads(whole_band({{0, sources}, {0, targets}}), {&gains}, 2)) {
      EXPECT_EQ(bead.source, source);
      EXPECT_EQ(bead.target, target);
      source += bead.sources;
      target += bead.targets;
      sum += bead.score;
    }
    EXPECT_EQ(source, sources);
    EXPECT_EQ(target, targets);
    EXPECT_NEAR(sum, best_sum(0, 0, sources, targets), 1e-5);
  }
}

using BeadSet = std::set<std::tuple<std::string, std::string>>;

/// The share of pairs that both sets have (strict F1).
double strict_f1(const Beads& beads, const std::string& gold) {
  const auto numbers = [](std::int64_t first, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += concat(i == 0 ? "" : ", ", first + i);
    return text;
  };
  BeadSet expected;
  for (const std::string& line : read_lines(gold)) {
    const std::vector<std::string> sides = split(line, ':');
    if (sides[0] == "[]" || sides[1] == "[]") continue;
    expected.emplace(sides[0].substr(1, sides[0].size() - 2), sides[1].substr(1, sides[1].size() - 2));
  }
  std::size_t found = 0, pairs = 0;
  for (const Bead& bead : beads) {
    if (!bead.is_pair()) continue;
    ++pairs;
    found += expected.count({numbers(bead.source, bead.sources), numbers(bead.target, bead.targets)});
  }
  return 2 * static_cast<double>(found) / static_cast<double>(pairs + expected.size());
}

/// The vectors of sentences, found in a list of texts with a file of 64 numbers for each.
SideVectors read_vectors(const std::vector<std::string>& sentences, const std::string& texts) {
  constexpr int kWidth = 64;
  const std::string bytes = read_file(texts + ".emb");
  std::map<std::string, std::size_t> places;
  for (const std::string& line : read_lines(texts)) places.emplace(line, places.size());
  SideVectors vectors(std::ssize(sentences), kWidth);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::span<float> vector = vectors[static_cast<std::int64_t>(i)];
    std::memcpy(vector.data(), bytes.data() + places.at(sentences[i]) * vector.size_bytes(),
                vector.size_bytes());
  }
  return vectors;
}

TEST(SentenceAligner, UsesEmbeddingsAsWellAsVecalign) {
  GLOSS_NEED_SHARED_DATA(folder, "corpus_cleaning/sentence_alignment");
  constexpr double kVecalign[] = {0.967, 0.898, 0.784}, kWithWords[] = {0.96, 0.97, 0.92};
  for (const int number : {1, 2, 3}) {
    const std::string name = concat(*folder, "/doc", number);
    ParallelDocument document;
    document.source.sentences = read_lines(name + ".en");
    document.target.sentences = read_lines(name + ".de");
    document.vectors = {read_vectors(document.source.sentences, name + ".overlaps.en"),
                        read_vectors(document.target.sentences, name + ".overlaps.de")};
    Listener quiet;
    const Beads alone = align_sentences(document, SentenceWords::ignored, 2, quiet),
                with_words = align_sentences(document, SentenceWords::compared, 2, quiet);
    EXPECT_GE(strict_f1(alone, name + ".gold"), kVecalign[number - 1]) << name;
    EXPECT_GE(strict_f1(with_words, name + ".gold"), kWithWords[number - 1]) << name;
  }
}

}  // namespace
}  // namespace gloss
