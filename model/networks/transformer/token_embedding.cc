// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/token_embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "model/layers/initialisers.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

TokenEmbedding::TokenEmbedding(Parameters& parameters, const std::string& side, const NetworkSizes& sizes,
                               const TransformerSettings& settings, Tables tables)
    : tables_(std::move(tables)),
      scale_(sizes.scale_embeddings ? std::sqrt(static_cast<float>(sizes.width)) : 1.0f) {
  if (settings.token_types > 0 && side == "encoder") {
    types_ = parameters.declare(side + ".token_types", {settings.token_types, sizes.width},
                                normal_values(1.0 / std::sqrt(sizes.width)), Role::table);
  }
  if (settings.embedding_norm)
    norm_.emplace(parameters, side + ".embedding_norm", sizes.width, settings.norms());
}

std::vector<TokenId> TokenEmbedding::types_of(std::span<const TokenId> tokens,
                                              std::span<const int> places) const {
  const auto last = static_cast<TokenId>(types_.rows() - 1);
  std::vector<TokenId> types;
  TokenId ends = 0;  // in the row so far
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (places[i] == 0) ends = 0;
    types.push_back(tokens[i] < 0 ? -1 : std::min(ends, last));  // -1: padding
    if (tokens[i] == tables_.end) ++ends;
  }
  return types;
}

Tensor TokenEmbedding::operator()(std::span<const TokenId> tokens, std::span<const int> places,
                                  const DropoutMask& mask) const {
  const bool plain = !types_ && !norm_;
  Tensor x = embed(tables_.tokens, tables_.positions, tokens, places, scale_, plain ? mask : DropoutMask{});
  if (plain) return x;
  if (types_) {
    x = add_dropout(x, embed(types_, {}, types_of(tokens, places), places, 1, {}), {});
  }
  if (norm_) x = (*norm_)(x);
  std::vector<int> numbers(tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return dropout(x, mask, std::move(numbers));
}

}  // namespace gloss
