// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/perplexity.h"

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/ranks.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/tasks/corpus_figures.h"

namespace gloss {

double TextFigures::perplexity() const { return std::exp(cross_entropy); }

Fields fields_of(TextFigures& figures) {
  return {{"lines", &figures.lines, "number of lines that are not blank"},
          {"tokens", &figures.tokens, "number of tokens, including end tokens of lines"},
          {"characters", &figures.characters, "number of characters, plus one for the end of each line"},
          {"cross_entropy", &figures.cross_entropy, "cross-entropy in nats per token"},
          {"bits_per_character", &figures.bits_per_character, "cross-entropy in bits per character"}};
}

PlainTextSettings plain_text_settings_of(const std::string& directory) {
  PlainTextSettings settings;
  const nlohmann::json training = read_model_config(directory).value("training", nlohmann::json::object());
  nlohmann::json given = nlohmann::json::object();
  Fields fields = fields_of(settings);
  for (Field& field : fields) {
    field.traits |= kOptional;  // missing settings keep their defaults
    if (training.is_object() && training.contains(field.name)) given[field.name] = training.at(field.name);
  }
  fields_from_json(fields, given, directory + "/config.json: training");
  return settings;
}

TextFigures evaluate_text(const TextModel& model, const std::string& path, const PlainTextSettings& settings,
                          const std::string& folder, WorkerThreads& workers, Listener& listener) {
  constexpr int kBatchTokens = 4096;
  const Subwords& subwords = *model.target;
  const PlainEncoder encoder(counting_encoder(subwords, model.format.normalization, 0),
                             model.model.settings.begin_token, std::make_shared<ContinuedBlocks>(), settings);
  const IndexedPairs text({.plain = path}, folder, listener);
  const EncodedText encoded = read_text(text, encoder, workers.count(), listener);
  SingleRank alone;
  TextFigures figures;
  figures.lines = encoded.found.pairs;
  figures.tokens = encoded.examples.target_tokens();
  figures.characters = encoded.found.target_characters;
  figures.cross_entropy = cross_entropy(*model.model.network, encoded.examples, kBatchTokens, workers, alone);
  if (!std::isfinite(figures.cross_entropy)) {
    throw Error("the model's probabilities are not finite numbers: its weights are damaged");
  }
  figures.bits_per_character = bits_per_character(figures.cross_entropy, encoded);
  return figures;
}

}  // namespace gloss
