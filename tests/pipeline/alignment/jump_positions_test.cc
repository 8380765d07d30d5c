// SPDX-License-Identifier: Apache-2.0
// The forward-backward algorithm against a sum over all alignments.
#include "pipeline/alignment/jump_positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "base/threads.h"

namespace gloss {
namespace {

LinkWeights random_weights(int given, int generated, std::uint64_t seed) {
  Random random(seed);
  LinkWeights links;
  links.resize(given, generated);
  for (float& weight : links.weights) weight = static_cast<float>(0.01 + random.uniform());
  return links;
}

/// Posterior probabilities and expected numbers of jumps by enumeration of all alignments.
class AllAlignments {
 public:
  AllAlignments(const JumpPositions& model, LinkWeights links) : model_(model), links_(std::move(links)) {
    posterior.resize(links_.given, links_.generated);
    sums_.resize(posterior.weights.size());
    extend(0, 0, 1);
    for (std::size_t i = 0; i < sums_.size(); ++i) posterior.weights[i] = static_cast<float>(sums_[i] / all_);
    for (auto& [distance, count] : jumps) count /= all_;
  }
  LinkWeights posterior;
  std::map<int, double> jumps;

 private:
  /// `last`: the given word, from 1, that generated a word last; 0: none did.
  void extend(int word, int last, double probability) {
    if (word == links_.generated) {
      finish(probability);
      return;
    }
    for (int state = 0; state <= links_.given; ++state) {
      path_.push_back(state);
      const double translation = static_cast<double>(links_.row(word)[index(state)]);
      const double position =
          state == 0 ? model_.null_probability() : (1 - model_.null_probability()) * jump(last, state);
      extend(word + 1, state == 0 ? last : state, probability * translation * position);
      path_.pop_back();
    }
  }
  void finish(double probability) {
    all_ += probability;
    int last = 0;
    for (std::size_t word = 0; word < path_.size(); ++word) {
      const int state = path_[word];
      sums_[word * (index(links_.given) + 1) + index(state)] += probability;
      if (state == 0) continue;
      jumps[state - last] += probability;
      last = state;
    }
  }
  double jump(int from, int to) const {
    double all = 0;
    for (int state = 1; state <= links_.given; ++state) all += model_.weight(state - from);
    return model_.weight(to - from) / all;
  }

  const JumpPositions& model_;
  LinkWeights links_;
  std::vector<int> path_;
  std::vector<double> sums_;
  double all_ = 0;
};

TEST(JumpPositions, PosteriorsAreSumsOverAllAlignments) {
  for (const auto& [given, generated] : {std::pair{1, 1}, {1, 4}, {4, 1}, {3, 5}, {5, 4}}) {
    JumpPositions model(0.3);
    LinkWeights links = random_weights(given, generated, 7);
    const AllAlignments expected(model, links);
    model.weigh(links, Counting::off);
    for (std::size_t i = 0; i < links.weights.size(); ++i) {
      EXPECT_NEAR(links.weights[i], expected.posterior.weights[i], 1e-5) << given << " " << generated;
    }
  }
}

TEST(JumpPositions, LearnsTheExpectedNumbersOfJumps) {
  JumpPositions model(0.2);
  const LinkWeights links = random_weights(4, 5, 11);
  const AllAlignments expected(model, links);
  constexpr int kTimes = 1000;  // so that the counts outweigh the prior
  for (int i = 0; i < kTimes; ++i) {
    LinkWeights pair = links;
    model.weigh(pair, Counting::on);
  }
  model.renew();
  // The prior count of each distance is unknown here; that of a distance that did not occur shows it.
  const double unseen = model.weight(50);
  ASSERT_GT(unseen, 0);
  const double first = (model.weight(1) - unseen) / expected.jumps.at(1);
  for (int distance = -3; distance <= 4; ++distance) {
    EXPECT_NEAR((model.weight(distance) - unseen) / first, expected.jumps.at(distance), 1e-3) << distance;
  }
  EXPECT_LT(unseen, model.weight(-3) / 10);
}

TEST(JumpPositions, CountsDoNotDependOnTheNumberOfThreads) {
  std::vector<double> weights;
  for (const int threads : {1, 3}) {
    JumpPositions model(0.2);
    for_each_item(threads, 300, [&](std::int64_t seed) {
      LinkWeights links = random_weights(6, 7, static_cast<std::uint64_t>(seed));
      model.weigh(links, Counting::on);
    });
    model.renew();
    for (int distance = -6; distance <= 6; ++distance) weights.push_back(model.weight(distance));
  }
  for (std::size_t i = 0; i < 13; ++i) EXPECT_EQ(weights[i], weights[i + 13]);
}

TEST(JumpPositions, LongAndImprobablePairsStayFinite) {
  JumpPositions model(0.2);
  LinkWeights links;
  links.resize(300, 300);
  std::ranges::fill(links.weights, 1e-9f);
  model.weigh(links, Counting::on);
  for (int word = 0; word < links.generated; ++word) {
    double sum = 0;
    for (const float weight : links.row(word)) sum += static_cast<double>(weight);
    ASSERT_NEAR(sum, 1, 1e-3) << word;
  }
  model.renew();
  EXPECT_TRUE(std::isfinite(model.weight(1)));
  EXPECT_EQ(model.weight(JumpPositions::kLongest), model.weight(JumpPositions::kLongest + 50));
}

}  // namespace
}  // namespace gloss
