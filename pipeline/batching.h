#pragma once

#include <cstdint>
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
};
Fields fields_of(BatchSettings&);

/// What a pair counts for in a batch: the tokens of its longer side, end token included.
int pair_cost(const Corpus&, PairIndex);

/// The batches of one pass over a corpus: pairs of similar length, together at most `batch_tokens` (a single
/// longer pair is a batch of its own), in random order. Every pair is in exactly one batch. A function of
/// corpus, budget and `random` alone.
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

}  // namespace gloss
