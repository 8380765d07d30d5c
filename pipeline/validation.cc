#include "pipeline/validation.h"

#include <algorithm>
#include <functional>
#include <numbers>
#include <numeric>

#include "model/tensor/threads.h"
#include "pipeline/batching.h"
#include "pipeline/metrics/bleu.h"

namespace gloss {

Fields fields_of(ValidationSettings& settings) {
  return {{"valid_bleu", &settings.bleu, "translates the validation text and gives its BLEU"},
          {"valid_beam_size", &settings.beam_size, "beam size of these translations; 1 is greedy", {1, 1000}},
          {"valid_tokenize", &settings.tokenize, "tokenizer of this BLEU, as evaluate --tokenize"},
          {"valid_lines", &settings.lines, "translates only so many first lines; 0: all", {0, 1e12}}};
}

namespace {

/// A figure of some targets, and their weight.
struct Figure {
  double sum = 0, weight = 0;
};

/// The mean over all batches of a corpus.
double mean_figure(const std::function<Figure(const Batch&)>& figure_of, const Corpus& corpus,
                   int batch_tokens, WorkerThreads& workers, Ranks& ranks) {
  const EpochBatches batches(corpus, batch_tokens, Random(0));
  // Each rank computes some of the batches. Summed are all figures, not what a rank adds up, so that the
  // order of sums does not depend on the number of ranks.
  std::vector<double> sums(static_cast<std::size_t>(batches.size()));
  std::vector<double> weights(sums.size());
  workers.run(workers.count(), [&](int worker) {
    set_threads_per_operation(1);
    const std::int64_t first = ranks.rank() * workers.count() + worker;
    for (std::int64_t i = first; i < batches.size(); i += ranks.size() * workers.count()) {
      const Figure figure = figure_of(gather(corpus, batches.batch(i)));
      sums[static_cast<std::size_t>(i)] = figure.sum;
      weights[static_cast<std::size_t>(i)] = figure.weight;
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

double accuracy(const ClassifierNetwork& network, const Corpus& corpus, int batch_tokens,
                WorkerThreads& workers, Ranks& ranks) {
  const auto figure = [&](const Batch& batch) {
    const std::vector<float> told = network.classify(batch.source);
    const auto classes = static_cast<std::ptrdiff_t>(network.classes());
    Figure right;
    auto row = told.begin();
    for (const TokenId target : batch.target.tokens) {
      right.sum += std::max_element(row, row + classes) == row + target ? 100 : 0;
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

double translation_bleu(const Translator& translator, std::span<const SentencePair> pairs,
                        const std::string& tokenize, Ranks& ranks) {
  std::vector<std::string> sources, hypotheses;
  std::vector<std::vector<std::string>> references;
  for (const SentencePair& pair : pairs) {
    sources.push_back(pair.source);
    references.push_back({pair.target});
  }
  const auto share = [&](int rank) {
    return sources.size() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks.size());
  };
  const std::size_t begin = share(ranks.rank()), end = share(ranks.rank() + 1);
  for (const TranslatedLine& line : translator.translate(std::span(sources).subspan(begin, end - begin))) {
    hypotheses.push_back(line.translations.front().text);
  }
  hypotheses = gather_texts(ranks, hypotheses);
  BleuSettings settings;
  settings.tokenize = tokenize;
  return corpus_bleu(hypotheses, references, settings).score;
}

}  // namespace gloss
