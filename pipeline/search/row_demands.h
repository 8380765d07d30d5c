// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/networks/batch.h"
#include "pipeline/search/required_phrases.h"

namespace gloss {

/// Constraints on the translation of one row, in addition to the settings for all rows.
struct RowDemands {
  std::vector<TokenId> prefix;                      ///< the first tokens of the translation
  std::shared_ptr<const RequiredPhrases> required;  ///< null: none
  std::uint64_t number = 0;  ///< of the row in the whole input; seeds its random numbers
  int longest = 0;           ///< maximum number of tokens; 0: computed from the settings
  /// The allowed tokens, ascending; must include those of the prefix and the required phrases and the end
  /// token. Null: all tokens are allowed.
  std::shared_ptr<const std::vector<TokenId>> candidates{};
  int forced = 0;  ///< first tokens of the prefix that count as certain in the score
  /// Number of tokens of the prefix and the required phrases.
  int tokens() const {
    return static_cast<int>(prefix.size()) + (required == nullptr ? 0 : required->total());
  }
};

}  // namespace gloss
