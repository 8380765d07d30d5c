// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "model/networks/network.h"
#include "pipeline/search/row_search.h"
#include "pipeline/search/search_input.h"

namespace gloss {

/// A batch of searches that advance together, one token per step. Rows can be added between any two steps,
/// and leave when their search has ended; they do not affect one another.
class RunningSearches {
 public:
  /// All arguments must outlive this object.
  RunningSearches(const Decoder&, const SearchSettings&, const TokenRules&);

  /// Rows to add; `numbers` identify them when they leave.
  struct NewRows {
    TokenRows sources;
    std::vector<RowDemands> demands;
    std::vector<int> numbers;

    void add(const SearchInput& from, int row);
  };
  void add(const NewRows&);

  /// Number of rows in the batch, and number of their source tokens.
  int rows() const { return static_cast<int>(rows_.size()); }
  int source_tokens() const { return source_tokens_; }

  using Found = std::function<void(int number, std::vector<Hypothesis>)>;
  /// Advances all searches by one token; `found` receives the results of the rows that leave.
  void step(const Found& found);

 private:
  struct Row {
    int number;
    int source_tokens;
    std::unique_ptr<RowSearch> search;
    std::unique_ptr<const OutputPart> part;  // null: all tokens are allowed
  };
  /// Runs the network's next step for all live hypotheses and fills `scores_`.
  void ask_network();
  void ask_for_best(SourceAttention*);
  void ask_for_all(SourceAttention*);

  const Decoder& decoder_;
  const SearchSettings& settings_;
  const TokenRules& rules_;
  std::vector<Row> rows_;
  int source_tokens_ = 0;
  std::unique_ptr<DecoderState> state_;  // null while there are no rows
  std::vector<TokenId> latest_;          // of the live hypotheses
  std::vector<int> chosen_;              // state rows that the live hypotheses continue

  std::vector<const OutputPart*> parts_;  // of the live hypotheses, if the rows have candidates

  std::vector<TokenId> impossible_;  // in all rows
  ScoreWish wish_;
  Tensor all_;  // scores, if all are requested
  TopScores top_;
  std::vector<RowScores> scores_;  // of the live hypotheses
  SourceAttention attention_;
};

}  // namespace gloss
