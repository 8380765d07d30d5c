// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/story_answerer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/reading/stories.h"

namespace gloss {

StoryAnswerer::StoryAnswerer(const TextModel& model, const ClassificationSettings& settings, int threads)
    : model_(model),
      settings_(settings),
      threads_(threads),
      rows_(line_encoder(*model.target, model.format.normalization, 0), *model.target,
            model.model.settings.begin_token, model.model.settings.sizes.max_positions) {
  if (!model.format.stories) {
    throw UsageError(
        "-m: the model classifies texts; expected one that answers questions about stories ('gloss finetune "
        "--task answer'); use 'gloss classify' for this one");
  }
  if (settings.explain && model.model.network->sentence_reader() == nullptr) {
    throw UsageError(
        concat("--explain needs a memory network, which looks at sentences; this model's "
               "architecture is ",
               shown(model.model.settings.architecture)));
  }
}

std::vector<StoryAnswer> StoryAnswerer::answer(std::span<const std::string> texts,
                                               const std::function<void(int texts)>& finished) const {
  std::vector<StoryAnswer> results(texts.size());
  std::vector<StoryRow> rows(texts.size());
  answer_rows(
      texts.size(), settings_.batches, threads_,
      [&](std::size_t number) {
        StoryRow& row = rows[number];
        StoryAnswer& result = results[number];
        row = rows_.row(texts[number], nullptr);
        result.empty = row.empty;
        result.replaced = row.replaced;
        result.left_out = row.left_out;
        result.read_tokens = static_cast<int>(row.tokens.size());
        const StoryTexts parts = story_texts(texts[number]);
        result.question = parts.question;
        result.sentences.assign(parts.sentences.begin(), parts.sentences.end());
        return row.tokens;
      },
      [&](const ReadTogether& read) { take_results(read, rows, results); }, finished);
  return results;
}

void StoryAnswerer::take_results(const ReadTogether& read, std::span<const StoryRow> rows,
                                 std::span<StoryAnswer> results) const {
  const Network& network = *model_.model.network;
  std::vector<std::vector<float>> weights;
  const std::vector<float> scores = settings_.explain ? network.sentence_reader()->answer(read.rows, weights)
                                                      : network.class_predictor()->classify(read.rows);
  const std::vector<std::string>& labels = model_.format.labels;
  for (std::size_t row = 0; row < read.lines.size(); ++row) {
    const auto number = index(read.lines[row]);
    StoryAnswer& result = results[number];
    for (std::size_t i = 0; i < labels.size(); ++i) {
      result.answers.push_back({labels[i], std::exp(static_cast<double>(scores[row * labels.size() + i]))});
    }
    std::ranges::stable_sort(result.answers, std::ranges::greater(), &LabelProbability::probability);
    if (!settings_.explain) continue;
    const std::vector<std::size_t>& read_sentences = rows[number].sentences;
    const std::size_t hops = weights[row].size() / read_sentences.size();
    result.weights.assign(hops * result.sentences.size(), 0.0f);
    for (std::size_t hop = 0; hop < hops; ++hop) {
      for (std::size_t i = 0; i < read_sentences.size(); ++i) {
        result.weights[hop * result.sentences.size() + read_sentences[i]] =
            weights[row][hop * read_sentences.size() + i];
      }
    }
  }
}

}  // namespace gloss
