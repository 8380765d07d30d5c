// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/classifier.h"
#include "pipeline/reading/line_forms.h"
#include "pipeline/search/row_scores.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "base/text.h"
#include "pipeline/examples/labelled_encoding.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/examples/tokenizer_pair.h"

namespace gloss {
namespace {

const ClassPredictor& class_predictor_of(const TextModel& model) {
  const ClassPredictor* const predictor = model.model.network->class_predictor();
  expects(predictor != nullptr, "the classifier's network predicts no classes");
  return *predictor;
}

}  // namespace

std::vector<LabelProbability> ranked_labels(const std::vector<std::string>& labels,
                                            std::span<const float> log_p) {
  std::vector<LabelProbability> ranked;
  expect_finite_score(static_cast<double>(log_p[0]));
  for (std::size_t i = 0; i < labels.size(); ++i)
    ranked.push_back({labels[i], std::exp(static_cast<double>(log_p[i]))});
  std::ranges::stable_sort(ranked, std::ranges::greater(), &LabelProbability::probability);
  return ranked;
}

Classifier::Classifier(const TextModel& model, const ClassificationSettings& settings, int threads)
    : model_(model), settings_(settings), threads_(threads) {
  if (model.format.stories) {
    throw UsageError("-m: the model answers questions about stories; use 'gloss answer'");
  }
  const std::string missing = class_predictor_of(model).attention_missing();
  if (settings.explain && !missing.empty()) throw UsageError(concat("--explain needs attention: ", missing));
}

int Classifier::longest() const {
  constexpr int kAround = 2;  // the begin and the end token
  return std::max(1, model_.model.settings.sizes.max_positions - kAround);
}

std::vector<ClassifiedLine> Classifier::classify(std::span<const std::string> lines,
                                                 const std::function<void(int lines)>& finished) const {
  std::vector<ClassifiedLine> results(lines.size());
  answer_rows(
      lines.size(), settings_.batches, threads_,
      [&](std::size_t line) { return prepare(lines[line], results[line]); },
      [&](const ReadTogether& read) { take_results(read, results); }, finished);
  return results;
}

std::vector<TokenId> Classifier::prepare(const std::string& line, ClassifiedLine& result) const {
  const LineEncoder encode = line_encoder(*model_.target, model_.format.normalization, 0);
  std::vector<EncodedLine> texts;
  bool blank = true;
  for (const std::string_view text : between_tabs(line)) {
    texts.push_back(encode(text, nullptr));
    result.replaced += texts.back().replaced;
    result.read_tokens += static_cast<int>(texts.back().text_tokens);
    blank = blank && texts.back().tokens.size() <= 1;
  }
  result.empty = blank;
  if (blank) return {};
  const NetworkSettings& network = model_.model.settings;
  ClassifiedRow row = classified_row(network.begin_token, std::move(texts), network.sizes.max_positions,
                                     model_.format.pair_ends);
  result.left_out = row.left_out;
  return std::move(row.tokens);
}

void Classifier::take_results(const ReadTogether& read, std::span<ClassifiedLine> results) const {
  const auto& [rows, lines] = read;
  std::vector<float> attention;
  const std::vector<float> scores =
      class_predictor_of(model_).classify(rows, settings_.explain ? &attention : nullptr);
  const std::vector<std::string>& labels = model_.format.labels;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    ClassifiedLine& result = results[index(lines[row])];
    result.labels = ranked_labels(labels, std::span(scores).subspan(row * labels.size(), labels.size()));
    if (!settings_.explain) continue;
    const auto number = static_cast<int>(row);
    result.words = words_of(
        rows.row(number), std::span(attention).subspan(index(rows.starts[row]), index(rows.length(number))));
  }
}

std::vector<WordAttention> Classifier::words_of(std::span<const TokenId> row,
                                                std::span<const float> attention) const {
  const Subwords& subwords = *model_.target;
  std::vector<WordAttention> words;
  std::vector<std::string> pieces;
  std::vector<double> shares;
  const auto end_text = [&] {
    const PieceWords of_text = gloss::words_of(pieces, subwords.piece(subwords.unknown_id()));
    const std::size_t before = words.size();
    for (const std::vector<std::string>& word : of_text.words)
      words.push_back({word_text(subwords, word), 0});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      words[before + index(of_text.word_of_piece[i])].attention += shares[i];
    }
    pieces.clear();
    shares.clear();
  };
  for (std::size_t i = 1; i < row.size(); ++i) {  // skips the begin token
    if (row[i] == subwords.end_id()) {
      end_text();
    } else {
      pieces.push_back(subwords.piece(row[i]));
      shares.push_back(static_cast<double>(attention[i]));
    }
  }
  return words;
}

}  // namespace gloss
