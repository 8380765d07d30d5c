// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/lexical_drafter.h"

#include <algorithm>
#include <memory>

#include "base/index.h"

namespace gloss {
namespace {

/// A source, and how far its translation has come.
class Progress {
 public:
  /// `forced`: tokens that begin the translation and are no part of its text; `end`: the end token.
  Progress(const Shortlist& table, std::span<const TokenId> source, bool reversed, int forced, TokenId end)
      : table_(&table), source_(source.begin(), source.end()), followed_(index(forced)), end_(end) {
    if (reversed) std::ranges::reverse(source_);
  }

  /// Looks at the tokens that the translation got since the last call.
  void follow(std::span<const TokenId> so_far) {
    for (; followed_ < so_far.size(); ++followed_) place_ = place_after(so_far[followed_]);
  }
  /// The translations of the source tokens that come next.
  std::vector<TokenId> next(std::size_t most) const {
    std::vector<TokenId> draft;
    for (std::size_t at = place_; at < source_.size() && draft.size() < most; ++at) {
      const auto translations = table_->translations_of(source_[at]);
      if (!translations.empty() && translations.front() != end_) draft.push_back(translations.front());
    }
    return draft;
  }

 private:
  /// Behind the nearest source token ahead that `token` translates; where the walk is if there is none, as
  /// for a token that translates nothing.
  std::size_t place_after(TokenId token) const {
    constexpr std::size_t kAhead = 6;
    const std::size_t end = std::min(source_.size(), place_ + kAhead);
    for (std::size_t at = place_; at < end; ++at) {
      if (translates(token, at)) return at + 1;
    }
    return place_;
  }
  bool translates(TokenId token, std::size_t at) const {
    constexpr std::size_t kBest = 4;
    const auto all = table_->translations_of(source_[at]);
    const auto best = all.first(std::min(kBest, all.size()));
    return std::ranges::find(best, token) != best.end();
  }

  const Shortlist* table_;
  std::vector<TokenId> source_;
  std::size_t followed_;   // tokens of the translation
  std::size_t place_ = 0;  // of the next source token
  TokenId end_;
};

class LexicalDrafts : public Drafts {
 public:
  LexicalDrafts(const Shortlist& table, bool reversed, TokenId end)
      : table_(table), reversed_(reversed), end_(end) {}

  void add(const TokenRows& sources, std::span<const RowDemands> demands) override {
    for (int row = 0; row < sources.rows(); ++row) {
      const auto source = sources.row(row);
      // Without the end token.
      rows_.emplace_back(table_, source.first(source.size() - 1), reversed_, demands[index(row)].forced,
                         end_);
    }
  }
  void keep(std::span<const int> rows) override {
    std::vector<Progress> kept;
    for (const int row : rows) kept.push_back(std::move(rows_[index(row)]));
    rows_.swap(kept);
  }
  void propose(std::span<const DraftWish> wishes, std::span<std::vector<TokenId>> drafts) override {
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      Progress& progress = rows_[index(wishes[i].row)];
      progress.follow(wishes[i].so_far);
      drafts[i] = progress.next(index(wishes[i].most));
    }
  }

 private:
  const Shortlist& table_;
  bool reversed_;
  TokenId end_;
  std::vector<Progress> rows_;
};

}  // namespace

std::unique_ptr<Drafts> LexicalDrafter::start() const {
  return std::make_unique<LexicalDrafts>(table_, reversed_, end_);
}

}  // namespace gloss
