// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipeline/search/row_demands.h"

namespace gloss {

/// A translation for which a draft is wanted.
struct DraftWish {
  int row;
  std::span<const TokenId> so_far;  ///< its tokens without the begin token
  int most;                         ///< number of tokens to propose at most, at least 1
};

/// The drafts of the rows of a batch.
class Drafts {
 public:
  virtual ~Drafts() = default;
  /// Appends rows: sources as for Decoder::start, and what their translations must obey.
  virtual void add(const TokenRows& sources, std::span<const RowDemands> demands) = 0;
  /// Keeps only these rows, which ascend.
  virtual void keep(std::span<const int> rows) = 0;
  /// For each wish the tokens that probably come next, none of them the end token; `drafts` is as long as
  /// `wishes`, which ascend by row.
  virtual void propose(std::span<const DraftWish> wishes, std::span<std::vector<TokenId>> drafts) = 0;
};

/// Numbers of drafted tokens. Threads may count at once.
struct DraftCounts {
  std::atomic<std::int64_t> drafted = 0;    ///< tokens that the network has checked
  std::atomic<std::int64_t> accepted = 0;   ///< those of them that were right
  std::atomic<std::int64_t> undrafted = 0;  ///< tokens without a draft, since their batch had too many rows
};

/// Guesses how translations go on, so that the network can check several tokens in one step (speculative
/// decoding, Stern et al. 2018, Leviathan et al. 2023). A draft affects speed, never a result.
class Drafter {
 public:
  virtual ~Drafter() = default;
  /// The drafts of a batch that has no rows yet. Threads may call it at once.
  virtual std::unique_ptr<Drafts> start() const = 0;
  /// The numbers of all drafts so far.
  DraftCounts& counts() const { return counts_; }

 private:
  mutable DraftCounts counts_;
};

}  // namespace gloss
