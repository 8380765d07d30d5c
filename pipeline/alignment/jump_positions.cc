// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/jump_positions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pipeline/alignment/expected_counts.h"

namespace gloss {
namespace {

std::size_t place_of(int distance) {
  constexpr int kLongest = JumpPositions::kLongest;
  return index(std::clamp(distance, -kLongest, kLongest) + kLongest);
}

/// to[i] += factor * from[i]
void add_scaled(float factor, const float* from, float* to, int count) {
  for (int i = 0; i < count; ++i) to[i] += factor * from[i];
}

}  // namespace

/// The forward-backward algorithm for a pair of lines. A state is the position of the last given word that
/// generated a word, from 1, or 0 before the first. The null word generates words without a change of state.
class JumpPositions::Lattice {
 public:
  Lattice(const JumpPositions& model, LinkWeights& links);
  /// Replaces the weights by the posterior probabilities.
  void run(Counting counting) {
    forward();
    backward(counting);
  }
  /// The expected number of jumps over a distance.
  double jumps(int distance) const {
    const std::size_t at = index(distance + given_);
    return static_cast<double>(jumped_[at]) * static_cast<double>(jumps_[at]);
  }

 private:
  void forward();
  void backward(Counting counting);
  const float* jumps_from(int state) const { return &jumps_[index(given_ - state)]; }  // to each state
  float* before(int word) { return &before_[index(word) * index(states_)]; }
  float* arrived(int word) { return &arrived_[index(word) * index(states_)]; }

  LinkWeights& links_;
  int given_, states_;
  float null_;
  std::vector<float> jumps_;     // weights of the distances from -given to given
  std::vector<float> mirrored_;  // those from given to -given
  std::vector<float> leave_;     // [states] 1 - null, divided by the weights of all jumps from a state
  std::vector<float> before_;  // [generated + 1, states] probabilities before a word, given the words before
  std::vector<float>
      arrived_;                // [generated, states] part of those after a word in which null did not make it
  std::vector<float> scales_;  // [generated]
  std::vector<float> jumped_;  // of the distances: expected counts divided by `jumps_`
};

JumpPositions::Lattice::Lattice(const JumpPositions& model, LinkWeights& links)
    : links_(links),
      given_(links.given),
      states_(given_ + 1),
      null_(static_cast<float>(model.null_)),
      leave_(index(states_)),
      before_(index(states_) * (index(links.generated) + 1)),
      arrived_(index(states_) * index(links.generated)),
      scales_(index(links.generated)),
      jumped_(2 * index(given_) + 1) {
  std::vector<double> sums{0};  // of the weights of all distances before each one
  for (int distance = -given_; distance <= given_; ++distance) {
    jumps_.push_back(static_cast<float>(model.weight(distance)));
    sums.push_back(sums.back() + model.weight(distance));
  }
  mirrored_.assign(jumps_.rbegin(), jumps_.rend());
  for (int state = 0; state < states_; ++state) {
    const double all = sums[index(2 * given_ - state + 1)] - sums[index(given_ - state + 1)];
    leave_[index(state)] = static_cast<float>((1 - model.null_) / all);
  }
}

void JumpPositions::Lattice::forward() {
  before_[0] = 1;
  for (int word = 0; word < links_.generated; ++word) {
    const float* weights = links_.row(word).data();
    const float* now = before(word);
    float* next = before(word + 1);
    float* arriving = arrived(word);
    for (int state = 0; state < states_; ++state) {
      add_scaled(now[state] * leave_[index(state)], jumps_from(state) + 1, arriving + 1, given_);
    }
    float sum = 0;
    for (int state = 0; state < states_; ++state) {
      arriving[state] *= weights[state];
      next[state] = arriving[state] + weights[0] * null_ * now[state];
      sum += next[state];
    }
    const float scale = 1 / sum;
    for (int state = 0; state < states_; ++state) {
      arriving[state] *= scale;
      next[state] *= scale;
    }
    scales_[index(word)] = scale;
  }
}

void JumpPositions::Lattice::backward(Counting counting) {
  // Of the words after the present one: their probability, given the state, over that of the whole line.
  std::vector<float> after(index(states_), 1);
  std::vector<float> here(index(states_)), onwards(index(states_));
  for (int word = links_.generated - 1; word >= 0; --word) {
    float* weights = links_.row(word).data();
    const float *now = before(word), *next = before(word + 1), *arriving = arrived(word);
    const float stay = weights[0] * null_ * scales_[index(word)];
    float by_null = next[0] * after[0];
    for (int state = 1; state < states_; ++state) {
      const auto at = index(state);
      here[at] = weights[state] * scales_[index(word)] * after[at];
      weights[state] = arriving[state] * after[at];
      by_null += (next[state] - arriving[state]) * after[at];
    }
    weights[0] = by_null;
    std::ranges::fill(onwards, 0.0f);
    for (int state = 1; state < states_; ++state) {
      add_scaled(here[index(state)], &mirrored_[index(given_ - state)], onwards.data(), states_);
    }
    for (int state = 0; state < states_; ++state) {
      const auto at = index(state);
      if (counting == Counting::on) {
        add_scaled(now[state] * leave_[at], here.data() + 1, &jumped_[index(given_ - state + 1)], given_);
      }
      after[at] = leave_[at] * onwards[at] + stay * after[at];
    }
  }
}

JumpPositions::JumpPositions(double null_probability)
    : null_(null_probability), weights_(2 * index(kLongest) + 1), counts_(weights_.size()) {
  constexpr double kReach = 4;  // words; before anything is learned
  for (int distance = -kLongest; distance <= kLongest; ++distance) {
    weights_[place_of(distance)] = std::exp(-std::abs(distance - 1) / kReach);
  }
}

double JumpPositions::weight(int distance) const { return weights_[place_of(distance)]; }

void JumpPositions::weigh(LinkWeights& links, Counting counting) {
  Lattice lattice(*this, links);
  lattice.run(counting);
  if (counting == Counting::off) return;
  for (int distance = -links.given; distance <= links.given; ++distance) {
    add_count(counts_[place_of(distance)], lattice.jumps(distance));
  }
}

void JumpPositions::renew() {
  constexpr double kPrior = 0.5;  // count of each distance before any is seen
  double sum = 0;
  for (std::size_t at = 0; at < weights_.size(); ++at) {
    weights_[at] = static_cast<double>(std::exchange(counts_[at], 0)) / kCountOfOne + kPrior;
    sum += weights_[at];
  }
  for (double& weight : weights_) weight /= sum;
}

}  // namespace gloss
