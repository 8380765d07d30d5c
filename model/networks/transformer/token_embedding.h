// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/layers/norm.h"
#include "model/networks/batch.h"
#include "model/networks/mixers/transformer_settings.h"
#include "model/networks/parts/network_sizes.h"

namespace gloss {

/// The input of one side of a transformer: token embeddings, usually scaled by the square root of the width,
/// with positions and, in an encoder, the embedding of the token's type: the first type up to the first end
/// token of a row, then the second one, and so on. The tables may be shared.
/// Parameters SIDE.token_types and SIDE.embedding_norm.
class TokenEmbedding {
 public:
  struct Tables {
    Tensor tokens;
    Tensor positions;  ///< may be empty
    TokenId end = -1;  ///< the end token
  };
  TokenEmbedding(Parameters&, const std::string& side, const NetworkSizes&, const TransformerSettings&,
                 Tables);
  /// [T, width]; tokens of -1 give rows without meaning.
  Tensor operator()(std::span<const TokenId> tokens, std::span<const int> places, const DropoutMask&) const;

 private:
  std::vector<TokenId> types_of(std::span<const TokenId> tokens, std::span<const int> places) const;

  Tables tables_;
  float scale_;
  Tensor types_;  // [token types, width]; may be empty
  std::optional<Norm> norm_;
};

}  // namespace gloss
