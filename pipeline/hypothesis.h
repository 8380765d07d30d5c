#pragma once

#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// Why a hypothesis ended where the network would have gone on.
enum class Cut {
  none,       ///< it did not: the network ended it
  by_length,  ///< the length limit
  by_rules    ///< rules or demands that left no token
};

/// What a search found.
struct Hypothesis {
  std::vector<TokenId> tokens;  ///< without begin and end
  double log_probability = 0;   ///< of all tokens and the end
  double score = 0;             ///< log_probability under the penalties: higher is better
  Cut cut = Cut::none;
  int missing = 0;  ///< required phrases that it does not have, since no room was left
  std::vector<double> token_log_probabilities{};  ///< of each token and the end
  /// Where the network looked for each token and the end, if that was asked for: [tokens + 1, source tokens
  /// with their end].
  std::vector<float> attention{};
};

}  // namespace gloss
