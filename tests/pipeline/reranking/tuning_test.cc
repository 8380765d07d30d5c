// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reranking/tuning.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/index.h"
#include "base/random.h"
#include "pipeline/metrics/evaluation.h"

namespace gloss {
namespace {

/// A metric of one figure: the mean share of right lines.
class Share : public Metric {
 public:
  explicit Share(bool lower) : lower_(lower) {}
  std::string name() const override { return "share"; }
  SignatureFields signature() const override { return {}; }
  std::size_t figures() const override { return 2; }
  std::unique_ptr<Comparer> comparer() const override { return nullptr; }
  double score(std::span<const double> sums) const override { return 100 * sums[0] / sums[1]; }
  double sample_score(std::span<const float>) const override { return 0; }
  bool lower_is_better() const override { return lower_; }

 private:
  bool lower_;
};

/// Lines whose right candidate is the one with the highest sum by secret weights; the others are wrong.
TuningSet set_of(const std::vector<double>& secret, int lines, bool lower) {
  Random random(4);
  TuningSet set;
  for (std::size_t i = 0; i < secret.size(); ++i) set.names.push_back("f" + std::to_string(i));
  for (int line = 0; line < lines; ++line) {
    set.lines.emplace_back();
    std::size_t best = 0;
    double highest = -1e9;
    for (std::size_t candidate = 0; candidate < 12; ++candidate) {
      TunedCandidate made{{}, {lower ? 1.0 : 0.0, 1.0}};
      double sum = 0;
      for (const double weight : secret) {
        made.features.push_back(random.normal());
        sum += weight * made.features.back();
      }
      if (sum > highest) {
        highest = sum;
        best = candidate;
      }
      set.lines.back().push_back(made);
    }
    set.lines.back()[best].figures[0] = lower ? 0 : 1;
  }
  return set;
}

TEST(Tuning, FindsWeightsThatChooseWhatIsRight) {
  for (const bool lower : {false, true}) {
    const std::vector<double> secret{0.2, -0.5, 0.05, 0.25};
    const TuningSet set = set_of(secret, 200, lower);
    const Share metric(lower);
    const double before = score_of_choice(set, {1, 0, 0, 0}, metric);
    const TunedWeights tuned = tune(set, metric, {});
    if (lower) {
      EXPECT_LT(tuned.score, 5);
      EXPECT_GT(before, 50);
    } else {
      EXPECT_GT(tuned.score, 95);
      EXPECT_LT(before, 50);
    }
    double total = 0;
    std::vector<double> weights;
    for (std::size_t i = 0; i < secret.size(); ++i) {
      weights.push_back(tuned.weights.at(set.names[i]));
      total += std::abs(weights.back());
      EXPECT_NEAR(weights.back(), secret[i], 0.1);
    }
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_NEAR(score_of_choice(set, weights, metric), tuned.score, 1) << "the score is that of the weights";
    EXPECT_EQ(tune(set, metric, {}).weights, tuned.weights) << "the same again";
  }
}

TEST(Tuning, ASearchAlongOneFeatureIsExact) {
  TuningSet set{{"a", "b"}, {}};
  set.lines.push_back({{{2, 0}, {0, 1}}, {{1, 0.5}, {1, 1}}, {{-3, 3}, {0, 1}}, {{-1, -1}, {0, 1}}});
  const Share metric(false);
  const TuningSettings once{.restarts = 0, .seed = 1};
  EXPECT_EQ(tune(set, metric, once).score, 0) << "the second lies between the others";
  set.lines[0][1].features = {1, 1};
  const TunedWeights tuned = tune(set, metric, once);
  EXPECT_EQ(tuned.score, 100);
  EXPECT_GT(tuned.weights.at("b"), tuned.weights.at("a"));
  EXPECT_LT(tuned.weights.at("b"), 2 * tuned.weights.at("a"));
}

TEST(Tuning, CandidatesThatDoNotDifferAreNoProblem) {
  TuningSet set{{"a"}, {}};
  set.lines.push_back({{{1}, {1, 1}}, {{1}, {0, 1}}});
  EXPECT_EQ(tune(set, Share(false), {.restarts = 3, .seed = 1}).score, 100) << "the first of equal ones";
}

}  // namespace
}  // namespace gloss
