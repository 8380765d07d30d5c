// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// Why the search ended a hypothesis that the network would have continued.
enum class Cut {
  none,       ///< it did not: the network predicted the end token
  by_length,  ///< the length limit was reached
  by_rules    ///< rules or demands allowed no further token
};

/// A finished hypothesis of a search.
struct Hypothesis {
  std::vector<TokenId> tokens;  ///< without begin and end token
  double log_probability = 0;   ///< of all tokens and the end token
  double score = 0;             ///< log_probability with length and coverage penalty; higher is better
  Cut cut = Cut::none;
  int missing = 0;  ///< required phrases that it lacks because the length limit left no room
  std::vector<double> token_log_probabilities{};  ///< of each token and the end token
  /// The attention to the source for each token and the end token, if requested: [tokens + 1, source tokens
  /// with their end token].
  std::vector<float> attention{};
};

}  // namespace gloss
