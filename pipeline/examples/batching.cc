// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/batching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

Fields fields_of(BatchSettings& settings) {
  return {
      {"batch_tokens",
       &settings.batch_tokens,
       "size of a batch in tokens; each pair counts the tokens of its longer side",
       {1, 100'000'000}},
      {"accumulation",
       &settings.accumulation,
       "number of batches per update, for gradient accumulation",
       {1, 100'000}},
      {"accumulation_ramp",
       &settings.accumulation_ramp,
       "number of updates in which the number of batches per update rises from 1 to --accumulation; 0: all "
       "updates have --accumulation",
       {0, 1e9}},
      {"gradient_shards",
       &settings.gradient_shards,
       "number of parts of a batch that threads compute in parallel; the result depends on it",
       {1, 1024}},
      {"shuffle_window",
       &settings.shuffle_window,
       "number of pairs shuffled and sorted by length together; larger texts are read in random windows "
       "of about this size, with two windows in memory",
       {1, 1e9}}};
}

void check(const BatchSettings& settings) {
  if (settings.accumulation_ramp > 0 && settings.accumulation == 1) {
    throw UsageError(
        concat("--accumulation-ramp ", settings.accumulation_ramp,
               " has no effect: the number of batches per update rises to --accumulation, which is "
               "1; give --accumulation 2 or more"));
  }
}

int batches_of(const BatchSettings& settings, std::int64_t update) {
  if (update > settings.accumulation_ramp) return settings.accumulation;
  return 1 + static_cast<int>((update - 1) * (settings.accumulation - 1) / settings.accumulation_ramp);
}

double batches_until(const BatchSettings& settings, double updates) {
  const auto ramp = static_cast<double>(settings.accumulation_ramp);
  if (ramp == 0) return updates * settings.accumulation;
  if (updates > ramp) {
    return batches_until(settings, ramp) + (updates - ramp) * settings.accumulation;
  }
  // Each step of the ramp is one batch higher than the one before.
  const double length = ramp / (settings.accumulation - 1);
  const double steps = std::floor(updates / length);
  return updates + length * steps * (steps - 1) / 2 + steps * (updates - steps * length);
}

BatchSettings of_all_ranks(BatchSettings settings, int ranks) {
  const std::int64_t tokens = std::int64_t{settings.batch_tokens} * ranks;
  if (tokens > std::numeric_limits<int>::max()) {
    throw UsageError(concat("--batch-tokens ", settings.batch_tokens, " on each of ", ranks,
                            " ranks is a total of ", tokens, "; expected at most ",
                            std::numeric_limits<int>::max()));
  }
  settings.batch_tokens = static_cast<int>(tokens);
  settings.gradient_shards *= ranks;
  return settings;
}

int pair_cost(const Corpus& corpus, PairIndex pair) {
  return static_cast<int>(std::max(corpus.source(pair).size(), corpus.target(pair).size()));
}

EpochBatches::EpochBatches(const Corpus& corpus, int batch_tokens, Random random) : pairs_(corpus.size()) {
  std::iota(pairs_.begin(), pairs_.end(), PairIndex{0});
  random.shuffle(pairs_);
  // Pairs of the same lengths stay in random order, so that batches differ from epoch to epoch.
  std::stable_sort(pairs_.begin(), pairs_.end(), [&](PairIndex a, PairIndex b) {
    const std::size_t target_a = corpus.target(a).size(), target_b = corpus.target(b).size();
    return target_a != target_b ? target_a < target_b : corpus.source(a).size() < corpus.source(b).size();
  });
  std::size_t begin = 0;
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const int more = pair_cost(corpus, pairs_[i]);
    if (i > begin && cost + more > batch_tokens) {
      batches_.push_back({begin, i});
      begin = i;
      cost = 0;
    }
    cost += more;
  }
  if (begin < pairs_.size()) batches_.push_back({begin, pairs_.size()});
  random.shuffle(batches_);
}

std::vector<std::span<const PairIndex>> cut_into_shards(const Corpus& corpus,
                                                        std::span<const PairIndex> pairs, int shards) {
  std::int64_t total = 0;
  for (const PairIndex pair : pairs) total += pair_cost(corpus, pair);
  std::vector<std::span<const PairIndex>> parts;
  std::size_t begin = 0;
  std::int64_t cost = 0;
  for (int shard = 1; shard <= shards; ++shard) {
    std::size_t end = begin;
    // A pair belongs to the shard that contains its middle.
    while (end < pairs.size()) {
      const int more = pair_cost(corpus, pairs[end]);
      if ((2 * cost + more) * shards > 2 * total * shard) break;
      cost += more;
      ++end;
    }
    if (shard == shards) end = pairs.size();
    parts.push_back(pairs.subspan(begin, end - begin));
    begin = end;
  }
  return parts;
}

Batch gather(const Corpus& corpus, std::span<const PairIndex> pairs) {
  Batch batch;
  for (const PairIndex pair : pairs) {
    const auto source = static_cast<std::int32_t>(batch.source.tokens.size()),
               target = static_cast<std::int32_t>(batch.target.tokens.size());
    for (const TokenLink& link : corpus.links(pair)) {
      batch.links.push_back({source + link.source, target + link.target});
    }
    corpus.add_source(pair, batch.source);
    batch.target.add(corpus.target(pair));
    if (corpus.weighted()) batch.weights.push_back(corpus.weight(pair));
  }
  return batch;
}

void UpdateBatches::add(const Corpus& corpus, std::span<const PairIndex> batch,
                        std::shared_ptr<const void> owner) {
  batches_.push_back({std::move(owner), &corpus, cut_into_shards(corpus, batch, shards_)});
}

Batch UpdateBatches::gather(int batch, int shard) const {
  const CutBatch& cut = batches_[index(batch)];
  Batch gathered = gloss::gather(*cut.corpus, cut.shards[index(shard)]);
  gathered.epoch = epoch_;
  return gathered;
}

}  // namespace gloss
