// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>

#include "model/networks/batch.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Token embeddings, scaled by the square root of the width, with positions; both tables may be shared.
class TokenEmbedding {
 public:
  TokenEmbedding(Tensor table, Tensor positions);
  /// [T, width]; tokens of -1 give zeros.
  Tensor operator()(std::span<const TokenId> tokens, std::span<const int> places, const DropoutMask&) const;

 private:
  Tensor table_, positions_;
  float scale_;
};

}  // namespace gloss
