// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/search/token_rules.h"

namespace gloss {

/// An example of a rule on tokens: no token follows itself.
class NoRepeatedToken : public TokenRule {
 public:
  bool allows(std::span<const TokenId> so_far, TokenId next) const override {
    return so_far.empty() || so_far.back() != next;
  }
};

}  // namespace gloss
