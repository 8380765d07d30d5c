// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/memory_drafter.h"

#include <algorithm>
#include <memory>

#include "base/index.h"

namespace gloss {
namespace {

/// A translation from the memory, and how far a new translation has followed it.
class Copy {
 public:
  /// `forced`: tokens that begin the new translation and are no part of its text.
  Copy(std::span<const TokenId> text, int forced) : text_(text), followed_(index(forced)) {}

  /// Looks at the tokens that the new translation got since the last call.
  void follow(std::span<const TokenId> so_far) {
    for (; followed_ < so_far.size(); ++followed_) {
      if (place_ < text_.size() && text_[place_] == so_far[followed_]) {
        ++place_;
      } else {
        place_ = place_after(so_far.first(followed_ + 1));
      }
    }
  }
  /// The tokens that come next.
  std::span<const TokenId> next(std::size_t most) const {
    const auto rest = text_.subspan(std::min(place_, text_.size()));
    return rest.first(std::min(most, rest.size()));
  }

 private:
  /// Where the copy goes on after tokens of which the last is not the expected one: behind the same two or
  /// three tokens, else a near one that is the same, else as if one token replaced another.
  std::size_t place_after(std::span<const TokenId> so_far) const {
    constexpr std::size_t kLongest = 3, kNear = 4;
    for (std::size_t length = std::min(kLongest, so_far.size()); length > 0; --length) {
      const auto latest = so_far.last(length);
      std::size_t best = 0;
      for (std::size_t end = length; end <= text_.size(); ++end) {
        if (!std::ranges::equal(latest, text_.subspan(end - length, length))) continue;
        if (best == 0 || distance(end) < distance(best)) best = end;
      }
      if (best > 0 && (length > 1 || distance(best) <= kNear)) return best;
    }
    return place_ + 1;
  }
  std::size_t distance(std::size_t place) const { return place > place_ ? place - place_ : place_ - place; }

  std::span<const TokenId> text_;
  std::size_t followed_;   // tokens of the new translation
  std::size_t place_ = 0;  // of the next token; may be behind the end
};

class MemoryDrafts : public Drafts {
 public:
  explicit MemoryDrafts(const TranslationMemory& memory) : memory_(memory) {}

  void add(const TokenRows& sources, std::span<const RowDemands> demands) override {
    for (int row = 0; row < sources.rows(); ++row) {
      const auto source = sources.row(row);
      rows_.emplace_back(memory_.closest(source.first(source.size() - 1)),  // without the end token
                         demands[index(row)].forced);
    }
  }
  void keep(std::span<const int> rows) override {
    std::vector<Copy> kept;
    for (const int row : rows) kept.push_back(rows_[index(row)]);
    rows_.swap(kept);
  }
  void propose(std::span<const DraftWish> wishes, std::span<std::vector<TokenId>> drafts) override {
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      Copy& copy = rows_[index(wishes[i].row)];
      copy.follow(wishes[i].so_far);
      const auto next = copy.next(index(wishes[i].most));
      drafts[i].assign(next.begin(), next.end());
    }
  }

 private:
  const TranslationMemory& memory_;
  std::vector<Copy> rows_;
};

}  // namespace

std::unique_ptr<Drafts> MemoryDrafter::start() const { return std::make_unique<MemoryDrafts>(memory_); }

}  // namespace gloss
