// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/shared/stored_positions.h"

#include <algorithm>

#include "base/index.h"
#include "model/networks/transformer/position_schemes.h"

namespace gloss {
namespace {

bool is_table(const StoredArray& stored, Positions positions) {
  constexpr std::int64_t kMost = 1 << 24;
  const std::vector<std::int64_t>& shape = stored.shape();
  if (shape.size() != 2 || std::ranges::max(shape) > kMost || shape[1] % 2 != 0) return false;
  std::vector<float> values(stored.count());
  stored.read(values);
  const auto size = [&](std::size_t dimension) { return static_cast<int>(shape[dimension]); };
  return values == table_of_positions(positions, size(0), size(1));
}

}  // namespace

Positions kind_of_positions(const std::vector<const StoredArray*>& tables) {
  for (const Positions computed : {Positions::none, Positions::sinusoidal}) {
    const auto fits = [&](const StoredArray* table) { return is_table(*table, computed); };
    if (std::ranges::all_of(tables, fits)) return computed;
  }
  return Positions::learned;
}

std::vector<float> table_of_positions(Positions positions, int count, int width) {
  std::vector<float> table(index(count) * index(width));
  if (positions == Positions::sinusoidal)
    std::ranges::copy(sinusoidal_positions(count, width).values(), table.begin());
  return table;
}

}  // namespace gloss
