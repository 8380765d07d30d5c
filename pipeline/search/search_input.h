// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"
#include "pipeline/search/drafter.h"
#include "pipeline/search/row_demands.h"

namespace gloss {

/// Source rows to translate. Each ends with the end token.
struct SearchInput {
  SearchInput() = default;
  /// Rows without demands, numbered in order.
  SearchInput(TokenRows rows) : sources(std::move(rows)) {}  // NOLINT: converts implicitly

  RowDemands demands_of(int row) const {
    if (!demands.empty()) return demands[index(row)];
    return {.prefix = {}, .required = nullptr, .number = static_cast<std::uint64_t>(row), .longest = 0};
  }

  TokenRows sources;
  std::vector<RowDemands> demands;   ///< one per row, or empty; either all have candidates or none has
  const Drafter* drafter = nullptr;  ///< null: none
};

}  // namespace gloss
