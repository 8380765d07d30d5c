#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// A token that may come next, and how probable it is.
struct Candidate {
  TokenId token;
  double log_probability;
};

/// Puts the `count` most probable tokens of a row of scores (all of them if there are fewer) into `best`, the
/// best first, equal ones by token. Returns log(sum(exp(scores))), so that the log-probability of any token
/// is its score minus that. One pass over the row, which depends on nothing but its numbers. Throws Error if
/// a score is not a number or all are minus infinity: the weights are damaged.
double top_candidates(std::span<const float> scores, int count, std::vector<Candidate>& best);

/// The same of those tokens that `allows`; asks of no more than it needs to. Probabilities stay those among
/// all tokens.
double top_candidates(std::span<const float> scores, int count, const std::function<bool(TokenId)>& allows,
                      std::vector<Candidate>& best);

}  // namespace gloss
