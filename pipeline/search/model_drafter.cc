// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/model_drafter.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/index.h"

namespace gloss {
namespace {

class ModelDrafts : public Drafts {
 public:
  ModelDrafts(const Decoder& decoder, int positions) : decoder_(decoder), positions_(positions) {}

  void add(const TokenRows& sources, std::span<const RowDemands> demands) override;
  void keep(std::span<const int> rows) override;
  void propose(std::span<const DraftWish> wishes, std::span<std::vector<TokenId>> drafts) override;

 private:
  struct Row {
    bool fits;                                 // the network has positions for the source
    std::unique_ptr<const OutputPart> part{};  // null: all tokens are allowed
    std::vector<TokenId> taken{};              // the tokens that the network has taken
  };
  /// Removes the tokens that the translations do not have, and takes all that they have.
  void catch_up(std::span<const DraftWish> wishes, std::span<const std::size_t> active);
  /// Runs a step with `counts_` and `tokens_`.
  void step();
  /// Adds the best token after the step's row `place` to a draft; false: the draft ends before it.
  bool extend(std::int64_t place, std::vector<TokenId>& draft) const;

  /// The number of tokens that a draft may have at most.
  int most(const DraftWish& wish) const {
    const int left = positions_ - 1 - static_cast<int>(wish.so_far.size());
    return rows_[index(wish.row)].fits ? std::min(wish.most, left) : 0;
  }

  const Decoder& decoder_;
  int positions_;
  std::unique_ptr<DecoderState> state_;  // null while there are no rows
  std::vector<Row> rows_;
  std::vector<int> counts_;      // tokens of each row in a step
  std::vector<TokenId> tokens_;  // of a step
  std::vector<const OutputPart*> parts_;
  TopScores top_;
};

void ModelDrafts::add(const TokenRows& sources, std::span<const RowDemands> demands) {
  TokenRows fitting;
  for (int row = 0; row < sources.rows(); ++row) {
    const auto& candidates = demands[index(row)].candidates;
    rows_.push_back({.fits = sources.length(row) <= positions_});
    fitting.add(rows_.back().fits ? sources.row(row) : sources.row(row).last(1));
    if (candidates == nullptr) continue;
    rows_.back().part = std::make_unique<const OutputPart>(decoder_.output_part(*candidates));
  }
  std::unique_ptr<DecoderState> state = decoder_.start(fitting);
  if (state_ == nullptr) {
    state_ = std::move(state);
  } else {
    state_->append(*state);
  }
}

void ModelDrafts::keep(std::span<const int> rows) {
  std::vector<Row> kept;
  for (const int row : rows) kept.push_back(std::move(rows_[index(row)]));
  rows_.swap(kept);
  if (rows_.empty()) {
    state_ = nullptr;
  } else {
    state_->select(rows);
  }
}

void ModelDrafts::catch_up(std::span<const DraftWish> wishes, std::span<const std::size_t> active) {
  std::vector<int> wrong(rows_.size(), 0);
  counts_.assign(rows_.size(), 0);
  tokens_.clear();
  for (const std::size_t i : active) {
    const DraftWish& wish = wishes[i];
    std::vector<TokenId> all{decoder_.begin()};
    all.insert(all.end(), wish.so_far.begin(), wish.so_far.end());
    std::vector<TokenId>& taken = rows_[index(wish.row)].taken;
    const auto differs = std::mismatch(taken.begin(), taken.end(), all.begin(), all.end()).first;
    const auto same = std::min(differs - taken.begin(), std::ssize(all) - 1);  // the last gives the scores
    wrong[index(wish.row)] = static_cast<int>(std::ssize(taken) - same);
    counts_[index(wish.row)] = static_cast<int>(std::ssize(all) - same);
    tokens_.insert(tokens_.end(), all.begin() + same, all.end());
    taken = std::move(all);
  }
  state_->forget(wrong);
}

void ModelDrafts::step() {
  state_->take(counts_);
  parts_.clear();
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].part != nullptr) parts_.insert(parts_.end(), index(counts_[row]), rows_[row].part.get());
  }
  const TopScores::Wanted best{1, {}};
  if (parts_.empty()) {
    decoder_.step_to_best(tokens_, *state_, best, top_);
    return;
  }
  top_.begin(std::ssize(tokens_), decoder_.vocabulary_size(), best);
  const auto use = [&](int row, std::span<const float> scores) {
    top_.add_part(row, parts_[index(row)]->tokens, scores);
  };
  decoder_.step_in_parts(tokens_, *state_, parts_, use);
}

bool ModelDrafts::extend(std::int64_t place, std::vector<TokenId>& draft) const {
  const ScoredToken& best = top_.best(place).front();
  const double log_probability = static_cast<double>(best.score) - top_.log_sum(place);
  if (best.token == decoder_.end() || !(std::exp(log_probability) >= ModelDrafter::kLeastProbability))
    return false;
  draft.push_back(best.token);
  return true;
}

void ModelDrafts::propose(std::span<const DraftWish> wishes, std::span<std::vector<TokenId>> drafts) {
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (most(wishes[i]) > 0) active.push_back(i);
  }
  if (active.empty()) return;
  catch_up(wishes, active);
  while (true) {
    step();
    std::vector<std::size_t> going_on;
    std::int64_t place = -1;  // of the last token of each wish in turn
    for (const std::size_t i : active) {
      const DraftWish& wish = wishes[i];
      place += counts_[index(wish.row)];
      if (extend(place, drafts[i]) && static_cast<int>(drafts[i].size()) < most(wish)) going_on.push_back(i);
    }
    if (going_on.empty()) return;
    active.swap(going_on);
    counts_.assign(rows_.size(), 0);
    tokens_.clear();
    for (const std::size_t i : active) {
      counts_[index(wishes[i].row)] = 1;
      tokens_.push_back(drafts[i].back());
      rows_[index(wishes[i].row)].taken.push_back(drafts[i].back());
    }
  }
}

}  // namespace

std::unique_ptr<Drafts> ModelDrafter::start() const {
  return std::make_unique<ModelDrafts>(decoder_, positions_);
}

}  // namespace gloss
