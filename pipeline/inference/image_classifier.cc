// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/image_classifier.h"

#include "base/error.h"
#include "base/index.h"
#include "pipeline/sources/image_encoding.h"
#include "pipeline/sources/image_scaling.h"

namespace gloss {

ImageClassifier::ImageClassifier(const TextModel& model, const ClassificationSettings& settings, int threads)
    : model_(model), settings_(settings), threads_(threads) {
  if (model.model.settings.source.type != SourceType::image)
    throw UsageError(
        "-m: the model classifies texts; expected one that was trained with --source-type image");
  if (settings.explain) throw UsageError("--explain shows the attention on words, which images do not have");
  row_ = row_of_vectors(model.model.settings);
}

std::vector<ClassifiedLine> ImageClassifier::classify(std::size_t lines,
                                                      const std::function<bool(std::size_t line)>& blank,
                                                      const std::function<Image(std::size_t line)>& read,
                                                      const std::function<void(int lines)>& finished) const {
  std::vector<ClassifiedLine> results(lines);
  const auto prepare = [&](std::size_t line) {
    results[line].empty = blank(line);
    return results[line].empty ? std::vector<TokenId>() : row_;
  };
  const auto answer = [&](const ReadTogether& together) {
    ReadTogether readable;
    for (const int line : together.lines) {
      try {
        const Image image = fitted(read(index(line)), model_.model.settings.source.image);
        std::vector<float>& numbers = readable.rows.numbers;
        numbers.insert(numbers.end(), image.pixels.begin(), image.pixels.end());
        readable.rows.add(row_);
        readable.lines.push_back(line);
      } catch (const InputError& error) {
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
  answer_rows(lines, settings_.batches, threads_, prepare, answer, finished);
  return results;
}

}  // namespace gloss
