// SPDX-License-Identifier: Apache-2.0

#include "model/networks/token_embedding.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "model/tensor/ops_recurrent.h"

namespace gloss {

TokenEmbedding::TokenEmbedding(Parameters& parameters, const std::string& side, const NetworkSizes& sizes,
                               const TransformerSettings& settings, Tables tables)
    : tables_(std::move(tables)),
      scale_(sizes.scale_embeddings ? std::sqrt(static_cast<float>(sizes.width)) : 1.0f) {
  if (settings.embedding_norm)
    norm_.emplace(parameters, side + ".embedding_norm", sizes.width, settings.norms());
}

Tensor TokenEmbedding::operator()(std::span<const TokenId> tokens, std::span<const int> places,
                                  const DropoutMask& mask) const {
  if (!norm_) return embed(tables_.tokens, tables_.positions, tokens, places, scale_, mask);
  const Tensor x = (*norm_)(embed(tables_.tokens, tables_.positions, tokens, places, scale_, {}));
  std::vector<int> numbers(tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return dropout(x, mask, std::move(numbers));
}

}  // namespace gloss
