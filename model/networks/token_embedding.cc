// SPDX-License-Identifier: Apache-2.0

#include "model/networks/token_embedding.h"

#include <cmath>
#include <utility>

namespace gloss {

TokenEmbedding::TokenEmbedding(Tensor table, Tensor positions)
    : table_(std::move(table)),
      positions_(std::move(positions)),
      scale_(std::sqrt(static_cast<float>(table_.columns()))) {}

Tensor TokenEmbedding::operator()(std::span<const TokenId> tokens, std::span<const int> places,
                                  const DropoutMask& mask) const {
  return embed(table_, positions_, tokens, places, scale_, mask);
}

}  // namespace gloss
