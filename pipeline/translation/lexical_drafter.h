// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>

#include "pipeline/alignment/shortlist.h"
#include "pipeline/search/drafter.h"

namespace gloss {

/// Drafts that translate the next source tokens one by one, with the first translation of each in a
/// shortlist. After a token of the translation, drafts go on after the next source token that it may
/// translate.
class LexicalDrafter : public Drafter {
 public:
  /// `reversed`: translations are predicted from right to left; `end`: the end token.
  LexicalDrafter(Shortlist table, bool reversed, TokenId end)
      : table_(std::move(table)), reversed_(reversed), end_(end) {}
  std::unique_ptr<Drafts> start() const override;

 private:
  Shortlist table_;
  bool reversed_;
  TokenId end_;
};

}  // namespace gloss
