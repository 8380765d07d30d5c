#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/networks/batch.h"
#include "pipeline/required_phrases.h"

namespace gloss {

/// What the translation of one row must keep to, beside what the settings say for all.
struct RowDemands {
  std::vector<TokenId> prefix;                      ///< its first tokens
  std::shared_ptr<const RequiredPhrases> required;  ///< null: none
  std::uint64_t number = 0;  ///< of the row in all that is translated; random numbers are drawn for it
  int longest = 0;           ///< the most tokens it may have; 0: as the settings say
  /// The only tokens that it may have, ascending; all of the prefix, the required phrases and the end are
  /// among them. Null: all.
  std::shared_ptr<const std::vector<TokenId>> candidates{};
  /// Tokens that prefix and required phrases take.
  int tokens() const {
    return static_cast<int>(prefix.size()) + (required == nullptr ? 0 : required->total());
  }
};

/// Rows to search translations for. Each source row ends with the end token.
struct SearchRows {
  SearchRows() = default;
  /// Without demands: the rows are numbered as they stand.
  SearchRows(TokenRows rows) : sources(std::move(rows)) {}  // NOLINT: sources alone are rows to search for

  RowDemands demands_of(int row) const {
    if (!demands.empty()) return demands[static_cast<std::size_t>(row)];
    return {.prefix = {}, .required = nullptr, .number = static_cast<std::uint64_t>(row), .longest = 0};
  }

  TokenRows sources;
  std::vector<RowDemands> demands;  ///< of each row, or of none; all have candidates, or none has
};

}  // namespace gloss
