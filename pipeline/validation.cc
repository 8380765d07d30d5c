#include "pipeline/validation.h"

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

double cross_entropy(const Trainable& network, const Corpus& corpus, int batch_tokens,
                     WorkerThreads& workers) {
  const EpochBatches batches(corpus, batch_tokens, Random(0));
  std::vector<LossFigures> figures(static_cast<std::size_t>(batches.size()));
  workers.run(workers.count(), [&](int worker) {
    set_threads_per_operation(1);
    for (std::int64_t i = worker; i < batches.size(); i += workers.count()) {
      const Loss loss = network.loss(gather(corpus, batches.batch(i)), nullptr);
      figures[static_cast<std::size_t>(i)] = {0, loss.cross_entropy, loss.tokens, loss.weight};
    }
  });
  LossFigures total;
  for (const LossFigures& part : figures) total += part;
  return total.cross_entropy / total.weight;
}

double translation_bleu(const Translator& translator, std::span<const SentencePair> pairs,
                        const std::string& tokenize) {
  std::vector<std::string> sources, hypotheses;
  std::vector<std::vector<std::string>> references;
  for (const SentencePair& pair : pairs) {
    sources.push_back(pair.source);
    references.push_back({pair.target});
  }
  for (const TranslatedLine& line : translator.translate(sources)) {
    hypotheses.push_back(line.translations.front().text);
  }
  BleuSettings settings;
  settings.tokenize = tokenize;
  return corpus_bleu(hypotheses, references, settings).score;
}

}  // namespace gloss
