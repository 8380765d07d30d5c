// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <utility>

#include "pipeline/inference/shortlist.h"
#include "pipeline/search/drafter.h"

namespace gloss {

/// Drafts that translate the next source tokens one by one with their most probable translations in a lexical
/// table. The source token after the one whose translation was chosen last comes next.
class LexicalDrafter : public Drafter {
 public:
  /// `reversed`: translations are predicted from right to left.
  LexicalDrafter(Shortlist table, bool reversed) : table_(std::move(table)), reversed_(reversed) {}
  std::unique_ptr<Drafts> start() const override;

 private:
  Shortlist table_;
  bool reversed_;
};

}  // namespace gloss
