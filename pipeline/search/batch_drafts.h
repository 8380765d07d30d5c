// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/index.h"
#include "pipeline/search/drafter.h"
#include "pipeline/search/row_search.h"

namespace gloss {

/// What a batch of searches knows of its drafts: the translation of each row so far, and how many tokens of
/// its latest draft were right. Rows with several live hypotheses get no drafts.
class BatchDrafts {
 public:
  /// More rows than these get no drafts: a step of many rows has no time to spare.
  static constexpr int kMostRows = 8;
  /// The most tokens that a step checks, first tokens included, while there is more than one for a row.
  static constexpr int kMostTokens = 16;
  /// A step that checks this many tokens takes about as long as one of a single token: it reads the same
  /// weights, and products are padded to this many rows.
  static constexpr int kCheapTokens = 8;

  /// `drafter` must outlive this object.
  explicit BatchDrafts(const Drafter& drafter) : drafter_(drafter) {}

  /// Appends rows. `limits`: the maximum length of each translation.
  void add(const TokenRows& sources, std::span<const RowDemands> demands, std::span<const int> limits);
  /// Makes a draft for each row of which `live` is the only live hypothesis. Returns false if all are empty.
  bool propose();
  /// The draft of a row; empty: none.
  std::span<const TokenId> of(int row) const { return rows_[index(row)].draft; }
  /// The search has continued a row by these live hypotheses.
  void continued(int row, std::span<const RowSearch::Live> live);
  /// All drafts have been checked: `right` tokens of each row's draft were right.
  void checked(int row, int right);
  /// Keeps only these rows, which ascend.
  void keep(std::span<const int> rows);

 private:
  struct Row {
    std::vector<TokenId> source;
    RowDemands demands;
    int limit;
    bool single = true;          // it never had several live hypotheses
    int most = kMostTokens - 1;  // tokens of the next draft, which follow the latest token
    std::vector<TokenId> so_far{}, draft{};
  };
  /// Starts drafting, if the rows have become few enough, or stops.
  void fit_rows();

  const Drafter& drafter_;
  std::unique_ptr<Drafts> drafts_;  // null: the rows are too many
  std::vector<Row> rows_;
};

}  // namespace gloss
