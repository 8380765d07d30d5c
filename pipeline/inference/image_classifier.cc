// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/image_classifier.h"

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"

namespace gloss {
namespace {

const NetworkSettings& checked(const NetworkSettings& network, const ClassificationSettings& settings) {
  if (network.source.type != SourceType::image)
    throw UsageError(
        "-m: the model classifies texts; expected one that was trained with --source-type image");
  if (settings.explain) throw UsageError("--explain shows the attention on words, which images do not have");
  return network;
}

}  // namespace

ImageClassifier::ImageClassifier(const TextModel& model, const ClassificationSettings& settings, int threads,
                                 ReadImage read)
    : model_(model),
      settings_(settings),
      threads_(threads),
      images_(image_rows(checked(model.model.settings, settings), std::move(read))) {}

std::vector<ClassifiedLine> ImageClassifier::classify(std::span<const std::string> lines,
                                                      const std::function<void(int lines)>& finished) const {
  std::vector<ClassifiedLine> results(lines.size());
  const auto prepare = [&](std::size_t line) {
    results[line].empty = is_blank(lines[line]);
    return results[line].empty ? std::vector<TokenId>() : images_.row;
  };
  const auto answer = [&](const ReadTogether& together) {
    ReadTogether readable;
    for (const int line : together.lines) {
      std::vector<float>& numbers = readable.rows.numbers;
      const std::size_t before = numbers.size();
      try {
        images_.read(lines[index(line)], numbers);
        readable.rows.add(images_.row);
        readable.lines.push_back(line);
      } catch (const InputError& error) {
        numbers.resize(before);
        results[index(line)].problem = error.what();
      }
    }
    if (readable.lines.empty()) return;
    const std::vector<float> scores = model_.model.network->class_predictor()->classify(readable.rows);
    const std::size_t classes = model_.format.labels.size();
    for (std::size_t row = 0; row < readable.lines.size(); ++row) {
      results[index(readable.lines[row])].labels =
          ranked_labels(model_.format.labels, std::span(scores).subspan(row * classes, classes));
    }
  };
  answer_rows(lines.size(), settings_.batches, threads_, prepare, answer, finished);
  return results;
}

}  // namespace gloss
