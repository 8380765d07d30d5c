#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "model/networks/network.h"
#include "pipeline/row_search.h"

namespace gloss {

/// Searches that go on together, a token at a time. Rows come in at any time, and leave when their search has
/// ended; none knows of the others.
class SearchBatch {
 public:
  /// All must live longer.
  SearchBatch(const Decoder&, const SearchSettings&, const TokenRules&);

  /// Rows to search for; `number` is what they are called when they leave.
  struct NewRows {
    TokenRows sources;
    std::vector<RowDemands> demands;
    std::vector<int> numbers;

    void add(const SearchRows& from, int row);
  };
  void add(const NewRows&);

  /// How many rows are searched for, and the tokens of their sources.
  int rows() const { return static_cast<int>(rows_.size()); }
  int source_tokens() const { return source_tokens_; }

  using Found = std::function<void(int number, std::vector<Hypothesis>)>;
  /// Searches on by a token; `found` gets the results of the rows that leave.
  void step(const Found& found);

 private:
  struct Row {
    int number;
    int source_tokens;
    std::unique_ptr<RowSearch> search;
    std::unique_ptr<const OutputPart> part;  // null: it may have all tokens
  };
  /// The network's next step for all live hypotheses: fills `scores_`.
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
  std::vector<int> chosen_;              // of the live hypotheses, those that the next ones continue

  std::vector<const OutputPart*> parts_;  // of the live hypotheses, if the rows have candidates

  ScoreWish wish_;
  Tensor all_;  // scores, if all are wanted
  TopScores top_;
  std::vector<RowScores> scores_;  // of the live hypotheses
  SourceAttention attention_;
};

}  // namespace gloss
