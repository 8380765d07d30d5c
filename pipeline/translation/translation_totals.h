// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipeline/search/drafter.h"
#include "pipeline/translation/shortcomings.h"

namespace gloss {

/// The number of tokens that a run read and wrote, and of lines with shortcomings.
struct TranslationTotals {
  std::int64_t source_tokens = 0;                         ///< without tokens that were left out
  std::int64_t target_tokens = 0;                         ///< of the best translation of each line
  std::array<std::int64_t, Shortcoming::kKinds> lines{};  ///< with each kind of shortcoming
  std::int64_t drafted_tokens = 0, accepted_tokens = 0;   ///< of drafts
  std::int64_t undrafted_tokens = 0;                      ///< predicted in batches too large for drafts
  /// `found`: the shortcomings of the line.
  void add(const TranslatedLine&, std::span<const Shortcoming> found);
  void add(const DraftCounts&);
  /// All counts, for sums over ranks.
  std::vector<std::int64_t*> counts();
  /// True if a line has a shortcoming.
  bool has_problems() const;
  /// For the closing note, such as "9 tokens translated into 8".
  std::string summary() const;
  /// The same for shortcomings that a StreamReport does not count, such as ", 1 that repeats a phrase"; ""
  /// without them.
  std::string problems() const;
  /// How many tokens of drafts were right, such as ", 57 of 80 drafted tokens accepted".
  std::string drafts() const;
  /// Why most tokens had no draft; "" if most had one or could have one.
  std::string missing_drafts() const;
};

}  // namespace gloss
