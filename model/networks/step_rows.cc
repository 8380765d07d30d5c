// SPDX-License-Identifier: Apache-2.0

#include "model/networks/step_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/index.h"
#include "base/rounding.h"
#include "model/networks/packed_rows.h"

namespace gloss {

Tensor embed_tokens(const Tensor& table, std::span<const TokenId> tokens, const NetworkSizes& sizes,
                    const DropoutMask& mask, const std::vector<int>& numbers) {
  const std::vector<int> places(tokens.size(), 0);
  const float scale = sizes.scale_embeddings ? std::sqrt(static_cast<float>(table.columns())) : 1.0f;
  return dropout(embed(table, {}, tokens, places, scale, {}), mask, numbers);
}

std::size_t padded_rows(std::size_t rows) {
  constexpr auto kMost = static_cast<std::size_t>(kDecodingRows);
  return rows > kMost / 2 ? round_up(rows, kMost) : std::bit_ceil(std::max<std::size_t>(2, rows));
}

std::shared_ptr<const RecurrentSteps> one_step(int count) {
  RecurrentSteps step{{count}, std::vector<int>(index(count))};
  std::iota(step.rows.begin(), step.rows.end(), 0);
  return std::make_shared<const RecurrentSteps>(std::move(step));
}

}  // namespace gloss
