// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/item_classifier.h"

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "pipeline/inference/parallel_batches.h"

namespace gloss {
namespace {

const NetworkSettings& checked(const NetworkSettings& network, const ClassificationSettings& settings) {
  if (network.source.is_text())
    throw UsageError("-m: the model classifies texts; expected one that was trained with --source-type");
  if (settings.explain) {
    throw UsageError(concat("--explain shows the attention on words, which a source of type ",
                            item_noun(network.source), " does not have"));
  }
  return network;
}

}  // namespace

ItemClassifier::ItemClassifier(const TextModel& model, const ClassificationSettings& settings, int threads,
                               ItemList list)
    : model_(model),
      settings_(settings),
      threads_(threads),
      items_(checked(model.model.settings, settings), std::move(list)) {}

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
    const std::vector<float> scores = model_.model.network->class_predictor()->classify(readable.rows);
    const std::size_t classes = model_.format.labels.size();
    for (std::size_t row = 0; row < readable.lines.size(); ++row) {
      results[index(readable.lines[row])].labels =
          ranked_labels(model_.format.labels, std::span(scores).subspan(row * classes, classes));
    }
    return static_cast<int>(batch.size());
  };
  answer_in_batches(one, settings_.batches, threads_, answer, finished);
  return results;
}

}  // namespace gloss
