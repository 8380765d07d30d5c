// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/index.h"
#include "base/random.h"
#include "model/networks/batch.h"
#include "pipeline/examples/corpus.h"

namespace gloss {

/// How pairs are grouped into updates: `accumulation` batches each, and each batch in `gradient_shards`
/// parts. The first `accumulation_ramp` updates have fewer batches.
struct BatchSettings {
  int batch_tokens = 4096;
  int accumulation = 1;
  std::int64_t accumulation_ramp = 0;
  int gradient_shards = 2;
  std::int64_t shuffle_window = 500'000;
};
Fields fields_of(BatchSettings&);
/// Throws UsageError if there is a ramp and nothing that could rise.
void check(const BatchSettings&);
/// The number of batches of `update`, counted from 1: from 1 it rises evenly to `accumulation` in the first
/// `accumulation_ramp` updates (compare Smith et al. 2018).
int batches_of(const BatchSettings&, std::int64_t update);
/// The number of batches of updates 1 to `updates`: the sum of their `batches_of`.
double batches_until(const BatchSettings&, double updates);
/// The settings of all ranks together: batch size and shards of one rank times `ranks`. Throws UsageError if
/// batches become too large.
BatchSettings of_all_ranks(BatchSettings, int ranks);

/// The share of a pair in `batch_tokens`: the tokens of its longer side, including the end token.
int pair_cost(const Corpus&, PairIndex);

/// The batches of one pass over a corpus, in random order: pairs of similar length with at most
/// `batch_tokens` tokens in all (a longer pair is a batch of its own). Every pair is in exactly one batch.
/// Depends on corpus, `batch_tokens` and `random` only.
class EpochBatches {
 public:
  EpochBatches(const Corpus&, int batch_tokens, Random random);

  std::int64_t size() const { return static_cast<std::int64_t>(batches_.size()); }
  std::span<const PairIndex> batch(std::int64_t number) const {
    const Range& range = batches_[index(number)];
    return {pairs_.data() + range.begin, range.end - range.begin};
  }

 private:
  struct Range {
    std::size_t begin, end;
  };
  std::vector<PairIndex> pairs_;
  std::vector<Range> batches_;
};

/// Splits a batch into `shards` runs of about equal cost; some are empty if it has fewer pairs.
std::vector<std::span<const PairIndex>> cut_into_shards(const Corpus&, std::span<const PairIndex> pairs,
                                                        int shards);

/// The tokens of pairs as input of a network.
Batch gather(const Corpus&, std::span<const PairIndex> pairs);

/// The batches of one update, each split into shards. Tokens are gathered shard by shard, so that a process
/// gathers only the shards that it computes.
class UpdateBatches {
 public:
  /// `epoch`: of the training (Batch::epoch).
  explicit UpdateBatches(int shards, std::int64_t epoch = 0) : shards_(shards), epoch_(epoch) {}

  /// Adds a batch of pairs of `corpus`; `owner` owns both.
  void add(const Corpus& corpus, std::span<const PairIndex> batch, std::shared_ptr<const void> owner);
  /// The number of batches.
  int size() const { return static_cast<int>(batches_.size()); }
  int shards() const { return shards_; }
  /// One shard of a batch; may be empty if the batch has fewer pairs than shards.
  Batch gather(int batch, int shard) const;

 private:
  struct CutBatch {
    std::shared_ptr<const void> owner;
    const Corpus* corpus;
    std::vector<std::span<const PairIndex>> shards;
  };
  int shards_;
  std::int64_t epoch_;
  std::vector<CutBatch> batches_;
};

}  // namespace gloss
