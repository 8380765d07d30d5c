// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/networks/network.h"
#include "pipeline/search/batch_drafts.h"
#include "pipeline/search/row_search.h"
#include "pipeline/search/search_input.h"

namespace gloss {

/// A batch of searches that advance together, one token per step, or more if drafts are right. Rows can be
/// added between any two steps, and leave when their search has ended; they do not affect one another.
class RunningSearches {
 public:
  /// All arguments must outlive this object. `drafter`: null for none; only for decoders that take several
  /// tokens.
  RunningSearches(const Decoder&, const SearchSettings&, const TokenRules&, const Drafter* drafter = nullptr);

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
  /// Advances all searches by at least one token; `found` receives the results of the rows that leave.
  void step(const Found& found);

 private:
  struct Row {
    int number;
    int source_tokens;
    std::unique_ptr<RowSearch> search;
    std::unique_ptr<const OutputPart> part;  // null: all tokens are allowed
  };
  /// Makes the drafts of the next step.
  void draft();
  /// The draft of a row in this step; empty: none.
  std::span<const TokenId> draft_of(std::size_t row) const {
    return drafted_ ? drafts_->of(static_cast<int>(row)) : std::span<const TokenId>();
  }
  /// Runs the network's next step for all live hypotheses and drafts, and fills `scores_`.
  void ask_network();
  /// Advances a row's search with the scores of its live hypotheses and its draft, which begin at `first`.
  /// Returns how many tokens of the draft were right.
  int advance(std::size_t row, std::size_t first);
  void remove_ended(const Found& found);
  void ask_for_best(std::span<const TokenId> tokens, SourceAttention*);
  void ask_for_all(std::span<const TokenId> tokens, SourceAttention*);

  const Decoder& decoder_;
  const SearchSettings& settings_;
  const TokenRules& rules_;
  std::vector<Row> rows_;
  int source_tokens_ = 0;
  std::unique_ptr<DecoderState> state_;  // null while there are no rows
  std::vector<TokenId> latest_;          // of the live hypotheses
  std::vector<int> chosen_;              // state rows that the live hypotheses continue

  std::optional<BatchDrafts> drafts_;  // nothing: no drafter
  bool drafted_ = false;               // this step has drafts
  std::vector<TokenId> asked_;         // the step's tokens: `latest_`, each followed by its draft
  std::vector<int> taken_;             // their number for each state row
  std::vector<int> wrong_;             // how many of them were wrong

  std::vector<const OutputPart*> parts_;  // of the step's tokens, if the rows have candidates

  std::vector<TokenId> impossible_;  // in all rows
  ScoreWish wish_;
  Tensor all_;  // scores, if all are requested
  TopScores top_;
  std::vector<RowScores> scores_;  // of the step's tokens
  SourceAttention attention_;
};

}  // namespace gloss
