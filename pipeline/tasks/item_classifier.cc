// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/item_classifier.h"

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "pipeline/tasks/parallel_batches.h"

namespace gloss {
namespace {

const NetworkSettings& checked(const TextModel& model, const ClassificationSettings& settings) {
  const NetworkSettings& network = model.model.settings;
  if (network.source.is_text())
    throw UsageError("-m: the model classifies texts; expected one that was trained with --source-type");
  const std::string missing = model.model.network->class_predictor()->attention_missing();
  if (settings.explain && !missing.empty()) throw UsageError(concat("--explain needs attention: ", missing));
  return network;
}

/// The attention on the places of an item, given that on its vectors; the class token is none of them.
std::vector<WordAttention> places_of(const NetworkSettings& network, std::span<const float> attention) {
  if (has_class_token(network)) attention = attention.subspan(1);
  const std::vector<std::string> names = place_names(network.source, attention.size());
  std::vector<WordAttention> places;
  for (std::size_t place = 0; place < names.size(); ++place)
    places.push_back({names[place], attention[place]});
  return places;
}

}  // namespace

ItemClassifier::ItemClassifier(const TextModel& model, const ClassificationSettings& settings, int threads,
                               ItemList list)
    : model_(model),
      settings_(settings),
      threads_(threads),
      items_(checked(model, settings), std::move(list)) {}

std::vector<ClassifiedLine> ItemClassifier::classify(std::span<const std::string> lines,
                                                     const std::function<void(int lines)>& finished) const {
  std::vector<ClassifiedLine> results(lines.size());
  TokenRows one;  // a token for each line: items are as long as they are
  for (std::size_t line = 0; line < lines.size(); ++line) one.add(std::vector<TokenId>{0});
  const auto answer = [&](std::span<const int> batch) {
    ReadTogether readable;
    for (const int line : batch) {
      ClassifiedLine& result = results[index(line)];
      result.empty = is_blank(lines[index(line)]);
      if (result.empty) continue;
      try {
        add_to(readable.rows, items_.read(lines[index(line)]));
        readable.lines.push_back(line);
      } catch (const InputError& error) {
        result.problem = error.what();
      }
    }
    if (readable.lines.empty()) return static_cast<int>(batch.size());
    std::vector<float> attention;
    const std::vector<float> scores = model_.model.network->class_predictor()->classify(
        readable.rows, settings_.explain ? &attention : nullptr);
    const std::size_t classes = model_.format.labels.size();
    for (std::size_t row = 0; row < readable.lines.size(); ++row) {
      ClassifiedLine& result = results[index(readable.lines[row])];
      result.labels = ranked_labels(model_.format.labels, std::span(scores).subspan(row * classes, classes));
      if (!settings_.explain) continue;
      result.item = lines[index(readable.lines[row])];
      const std::span<const float> of_row = std::span(attention).subspan(
          index(readable.rows.starts[row]), index(readable.rows.length(static_cast<int>(row))));
      result.words = places_of(model_.model.settings, of_row);
    }
    return static_cast<int>(batch.size());
  };
  answer_in_batches(one, settings_.batches, threads_, answer, finished);
  return results;
}

}  // namespace gloss
