// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/validation.h"

#include <algorithm>

#include "base/index.h"
#include "pipeline/metrics/bleu.h"

namespace gloss {

Fields fields_of(ValidationSettings& settings) {
  Fields fields{{"valid_bleu", &settings.bleu, "translate the validation text and compute its BLEU"},
                {"valid_beam_size",
                 &settings.beam_size,
                 "beam size for the validation text; 1: greedy search",
                 {1, 1000}},
                {"valid_tokenize",
                 &settings.tokenize,
                 "tokenizer for validation BLEU; names as in evaluate --tokenize",
                 {},
                 0,
                 "NAME"},
                {"valid_lines",
                 &settings.lines,
                 "translate only the first N lines of the validation text; 0: all",
                 {0, 1e12}},
                {"samples",
                 &settings.samples,
                 "show the translations of N lines of the validation text, always the same",
                 {0, 1000}}};
  add_traits(fields, kFreeOnResume, settings.bleu, settings.beam_size, settings.tokenize, settings.lines,
             settings.samples);
  return fields;
}

void add_translation_figures(const Translator& translator, std::span<const SentencePair> pairs,
                             const ValidationSettings& validation, Ranks& ranks, ValidationFigures& figures) {
  std::vector<std::string> sources, hypotheses;
  std::vector<std::vector<std::string>> references;
  for (const SentencePair& pair : pairs) {
    sources.push_back(pair.source);
    references.push_back({pair.target});
  }
  const auto share = [&](int rank) { return sources.size() * index(rank) / index(ranks.size()); };
  const std::size_t begin = share(ranks.rank()), end = share(ranks.rank() + 1);
  for (const TranslatedLine& line : translator.translate(std::span(sources).subspan(begin, end - begin))) {
    hypotheses.push_back(line.translations.front().text);
  }
  hypotheses = gather_texts(ranks, hypotheses);
  BleuSettings settings;
  settings.tokenize = validation.tokenize;
  figures.bleu = corpus_bleu(hypotheses, references, settings).score;
  const std::size_t samples = std::min(index(validation.samples), pairs.size());
  for (std::size_t i = 0; i < samples; ++i) {
    const std::size_t line = (2 * i + 1) * pairs.size() / (2 * samples);
    figures.samples.push_back({sources[line], hypotheses[line], references[line].front()});
  }
}

}  // namespace gloss
