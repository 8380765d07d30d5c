#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/networks/classifier_network.h"
#include "pipeline/checkpoint.h"
#include "pipeline/corpus.h"
#include "pipeline/example_encoding.h"
#include "pipeline/parallel_text.h"
#include "pipeline/translation.h"

namespace gloss {

/// How a translation model is judged while it is trained.
struct ValidationSettings {
  bool bleu = true;
  int beam_size = 1;
  std::string tokenize = "13a";
  std::int64_t lines = 1000;
};
Fields fields_of(ValidationSettings&);

// The ranks share the work. Figures are the same bit for bit for any number of workers and ranks.

/// The mean cross-entropy of all targets in nats per token, without dropout and label smoothing.
double cross_entropy(const Trainable&, const Corpus&, int batch_tokens, WorkerThreads& workers, Ranks& ranks);

/// A cross-entropy per token of plain text, in bits per character.
double bits_per_character(double cross_entropy, const EncodedText&);
/// The share of targets that the network finds the most probable, in percent.
double accuracy(const ClassifierNetwork&, const Corpus&, int batch_tokens, WorkerThreads& workers,
                Ranks& ranks);

/// BLEU of the network's translations of the sources against the targets of `pairs`.
double translation_bleu(const Translator&, std::span<const SentencePair> pairs, const std::string& tokenize,
                        Ranks& ranks);

}  // namespace gloss
