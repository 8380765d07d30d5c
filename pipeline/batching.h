#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/random.h"
#include "model/networks/batch.h"
#include "pipeline/corpus.h"

namespace gloss {

/// How pairs become updates. An update computes `accumulation` batches, each cut into `gradient_shards`.
struct BatchSettings {
  int batch_tokens = 4096;
  int accumulation = 1;
  int gradient_shards = 2;
  std::int64_t shuffle_window = 500'000;
};
Fields fields_of(BatchSettings&);
/// What `ranks` ranks with these settings do together: batches and shards are those of one rank times
/// `ranks`. Throws UsageError if batches get too large.
BatchSettings of_all_ranks(BatchSettings, int ranks);

/// What a pair counts for in a batch: the tokens of its longer side, end token included.
int pair_cost(const Corpus&, PairIndex);

/// The batches of one pass over the pairs of a corpus: those of similar length, together at most
/// `batch_tokens` (a single longer pair is a batch of its own), in random order. Every pair is in exactly one
/// batch. A function of corpus, budget and `random` alone.
class EpochBatches {
 public:
  EpochBatches(const Corpus&, int batch_tokens, Random random);

  std::int64_t size() const { return static_cast<std::int64_t>(batches_.size()); }
  std::span<const PairIndex> batch(std::int64_t number) const {
    const Range& range = batches_[static_cast<std::size_t>(number)];
    return {pairs_.data() + range.begin, range.end - range.begin};
  }

 private:
  struct Range {
    std::size_t begin, end;
  };
  std::vector<PairIndex> pairs_;
  std::vector<Range> batches_;
};

/// Cuts a batch into `shards` runs of about equal cost; some are empty if it has fewer pairs.
std::vector<std::span<const PairIndex>> cut_into_shards(const Corpus&, std::span<const PairIndex> pairs,
                                                        int shards);

/// The tokens of pairs as networks take them.
Batch gather(const Corpus&, std::span<const PairIndex> pairs);

/// The batches that one update learns from, each cut into shards. Tokens are gathered by whoever computes a
/// shard, so that a process with some of the shards gathers no others.
class UpdateBatches {
 public:
  explicit UpdateBatches(int shards) : shards_(shards) {}

  /// Adds a batch of pairs of `corpus`; `owner` keeps both in memory.
  void add(const Corpus& corpus, std::span<const PairIndex> batch, std::shared_ptr<const void> owner);
  /// How many batches there are.
  int size() const { return static_cast<int>(batches_.size()); }
  int shards() const { return shards_; }
  /// One shard of a batch; without rows if the batch has fewer pairs than shards.
  Batch gather(int batch, int shard) const;

 private:
  struct CutBatch {
    std::shared_ptr<const void> owner;
    const Corpus* corpus;
    std::vector<std::span<const PairIndex>> shards;
  };
  int shards_;
  std::vector<CutBatch> batches_;
};

}  // namespace gloss
