// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/alignment/position_model.h"

namespace gloss {

/// The position of the given word that generates a word depends on its distance from the given word that
/// generated the word before: the hidden Markov model of Vogel et al. (1996), with a null word (Och and Ney
/// 2003). The probabilities of the distances are learned, that of the null word is fixed.
class JumpPositions : public PositionModel {
 public:
  /// The longest distance with a probability of its own; longer ones have that of this one.
  static constexpr int kLongest = 100;

  explicit JumpPositions(double null_probability);
  void weigh(LinkWeights&, Counting) override;
  void renew() override;
  double null_probability() const { return null_; }
  /// The weight of a distance. A probability is this weight divided by those of all distances that are
  /// possible from a position. The first given word has the distance 1 from the start of the line.
  double weight(int distance) const;

 private:
  class Lattice;

  double null_;
  std::vector<double> weights_;        // of the distances from -kLongest to kLongest
  std::vector<std::uint64_t> counts_;  // in fixed point
};

}  // namespace gloss
