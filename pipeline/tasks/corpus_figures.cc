// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/corpus_figures.h"

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

#include "base/index.h"
#include "model/tensor/operation_threads.h"
#include "pipeline/examples/batching.h"

namespace gloss {
namespace {

/// A figure summed over some targets, and their weight.
struct Figure {
  double sum = 0, weight = 0;
};

/// The weighted mean over all batches of a corpus.
double mean_figure(const std::function<Figure(const Batch&)>& figure_of, const Corpus& corpus,
                   int batch_tokens, WorkerThreads& workers, Ranks& ranks) {
  const EpochBatches batches(corpus, batch_tokens, Random(0));
  // Each rank computes some of the batches. The ranks exchange the figures of every batch instead of partial
  // sums, so that the order of summation does not depend on the number of ranks.
  std::vector<double> sums(index(batches.size()));
  std::vector<double> weights(sums.size());
  workers.run(workers.count(), [&](int worker) {
    set_threads_per_operation(1);
    // Not every rank may have been able to start as many threads as the others.
    const std::int64_t first = ranks.rank() + std::int64_t{ranks.size()} * worker;
    for (std::int64_t i = first; i < batches.size(); i += ranks.size() * workers.count()) {
      const Figure figure = figure_of(gather(corpus, batches.batch(i)));
      sums[index(i)] = figure.sum;
      weights[index(i)] = figure.weight;
    }
  });
  ranks.sum(sums);
  ranks.sum(weights);
  return std::accumulate(sums.begin(), sums.end(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

}  // namespace

double cross_entropy(const Trainable& network, const Corpus& corpus, int batch_tokens, WorkerThreads& workers,
                     Ranks& ranks) {
  const auto figure = [&](const Batch& batch) -> Figure {
    const Loss loss = network.loss(batch, nullptr);
    return {loss.cross_entropy, loss.weight};
  };
  return mean_figure(figure, corpus, batch_tokens, workers, ranks);
}

double accuracy(const ClassPredictor& network, const Corpus& corpus, int batch_tokens, WorkerThreads& workers,
                Ranks& ranks) {
  const auto figure = [&](const Batch& batch) {
    const std::vector<float> scores = network.classify(batch.source);
    const auto classes = static_cast<std::ptrdiff_t>(network.classes());
    Figure right;
    auto row = scores.begin();
    for (const TokenId target : batch.target.tokens) {
      // An unknown class, -1, is never right.
      right.sum += std::max_element(row, row + classes) - row == target ? 100 : 0;
      right.weight += 1;
      row += classes;
    }
    return right;
  };
  return mean_figure(figure, corpus, batch_tokens, workers, ranks);
}

double bits_per_character(double cross_entropy, const EncodedText& text) {
  const auto tokens = static_cast<double>(text.examples.target_tokens());
  return cross_entropy * tokens / static_cast<double>(text.found.target_characters) / std::numbers::ln2;
}

}  // namespace gloss
