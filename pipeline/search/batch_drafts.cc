// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/batch_drafts.h"

#include <algorithm>
#include <utility>

namespace gloss {

void BatchDrafts::add(const TokenRows& sources, std::span<const RowDemands> demands,
                      std::span<const int> limits) {
  for (int row = 0; row < sources.rows(); ++row) {
    const auto tokens = sources.row(row);
    rows_.push_back({{tokens.begin(), tokens.end()}, demands[index(row)], limits[index(row)]});
  }
  if (drafts_ == nullptr) return;
  if (rows_.size() > kMostRows) {
    drafts_ = nullptr;
  } else {
    drafts_->add(sources, demands);
  }
}

void BatchDrafts::fit_rows() {
  if (drafts_ != nullptr || rows_.size() > kMostRows) return;
  TokenRows sources;
  std::vector<RowDemands> demands;
  for (const Row& row : rows_) {
    sources.add(row.source);
    demands.push_back(row.demands);
  }
  drafts_ = drafter_.start();
  drafts_->add(sources, demands);
}

bool BatchDrafts::propose() {
  fit_rows();
  if (drafts_ == nullptr) drafter_.counts().undrafted += std::ssize(rows_);
  std::vector<DraftWish> wishes;
  const int most = std::max(1, kMostTokens / std::max(1, static_cast<int>(rows_.size()))) - 1;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    rows_[row].draft.clear();
    if (drafts_ == nullptr || !rows_[row].single) continue;
    const int left = rows_[row].limit - static_cast<int>(rows_[row].so_far.size());
    const int tokens = std::min({most, rows_[row].most, left});
    if (tokens > 0) wishes.push_back({static_cast<int>(row), rows_[row].so_far, tokens});
  }
  if (wishes.empty()) return false;
  std::vector<std::vector<TokenId>> proposed(wishes.size());
  drafts_->propose(wishes, proposed);
  bool any = false;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    any = any || !proposed[i].empty();
    rows_[index(wishes[i].row)].draft = std::move(proposed[i]);
  }
  return any;
}

void BatchDrafts::continued(int row, std::span<const RowSearch::Live> live) {
  Row& of = rows_[index(row)];
  if (live.size() == 1) {
    of.so_far.push_back(live.front().token);
  } else {
    of.single = false;
  }
}

void BatchDrafts::checked(int row, int right) {
  Row& of = rows_[index(row)];
  if (of.draft.empty()) return;
  drafter_.counts().drafted += std::ssize(of.draft);
  drafter_.counts().accepted += right;
  const bool all = right == static_cast<int>(of.draft.size());
  of.most = (all ? kMostTokens : kCheapTokens) - 1;
}

void BatchDrafts::keep(std::span<const int> rows) {
  if (rows.size() == rows_.size()) return;
  std::vector<Row> kept;
  for (const int row : rows) kept.push_back(std::move(rows_[index(row)]));
  rows_.swap(kept);
  if (drafts_ != nullptr) drafts_->keep(rows);
}

}  // namespace gloss
