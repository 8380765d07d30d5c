// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/classification_training.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "model/model_directory.h"
#include "model/model_paths.h"
#include "pipeline/examples/label_set.h"
#include "pipeline/examples/labelled_encoding.h"
#include "pipeline/examples/story_encoding.h"
#include "pipeline/media/learn_source.h"
#include "pipeline/tasks/corpus_figures.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/training/starting_models.h"
#include "pipeline/training/validation.h"

namespace gloss {
namespace {

/// Training of classifiers.
class ClassificationTask : public TrainingTask {
 public:
  explicit ClassificationTask(const ClassificationTrainingSettings& settings) : settings_(settings) {}

  ModelTrainingSettings& settings() override { return settings_; }
  Fields all_fields() override { return all_fields_of(settings_); }
  void check() override { gloss::check(settings_); }
  std::string use(const std::string& model) const override {
    return concat(settings_.stories ? "answer: gloss answer" : "classify: gloss classify", " -m ", model,
                  " FILE");
  }

  bool has_text() const override { return settings_.network.source.is_text(); }

  void take_training_text(std::span<const WeightedText> texts) override {
    if (!has_text()) learn_from_items(texts, settings_.items.skip_broken, source_);
    if (settings_.labels.empty()) {
      settings_.labels = labels_of(texts);
      return;
    }
    for (const WeightedText& text : texts) expect_known_labels(*text.pairs, settings_.labels);
  }
  void take_checkpoint(const std::string& folder) override {
    settings_.labels = read_text_format(folder).labels;
    if (has_text()) return;
    take_learned(network_settings(read_model_config(folder), folder + "/" + kConfigFile).source, source_);
  }

  void fit_network(const Tokenizers& tokenizers) override {
    if (!has_text()) {
      fit_to_items();
      return;
    }
    const Subwords& subwords = *tokenizers.target;
    NetworkSettings& network = settings_.network;
    // Keeps the row for the mask in the embedding table of a masked language model.
    const bool masks = settings_.mask_token >= 0;
    if (masks) settings_.mask_token = mask_token_of(settings_, subwords);
    const int size = std::max(subwords.size(), settings_.mask_token + 1);
    set_vocabulary(network, {size, size, subwords.begin_id(), subwords.end_id()});
    network.classifier.classes = static_cast<int>(settings_.labels.size());
  }

  std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers& tokenizers) const override {
    if (!has_text()) {
      return std::make_unique<LabelledItemEncoder>(settings_.network, settings_.labels, settings_.items);
    }
    const TokenizerSettings& text = settings_.tokenizers;
    const NetworkSettings& network = settings_.network;
    LineEncoder lines = line_encoder(*tokenizers.target, text.normalization, text.bpe_dropout);
    if (settings_.stories) {
      return std::make_unique<StoryEncoder>(
          StoryRows(std::move(lines), *tokenizers.target, network.begin_token, network.sizes.max_positions),
          settings_.labels, text.bpe_dropout > 0);
    }
    return std::make_unique<LabelledEncoder>(
        std::move(lines), *tokenizers.target,
        LabelledRows{network.begin_token, network.sizes.max_positions,
                     settings_.starting_models ? settings_.starting_models->format().pair_ends : 1},
        settings_.labels, LabelledNoise{text.bpe_dropout > 0, settings_.word_dropout});
  }

  LearningTask learning() const override {
    constexpr double kLabelsTeachLess = 0.4;  // than the words of translations
    return {.figure = StopOn::accuracy,
            .updates = has_text() ? kLabelsTeachLess : 1,
            .network = has_text() ? nlohmann::json::object() : faster_encoder(settings_.network)};
  }

  void complete(TextFormat& format) const override { format.stories = settings_.stories; }

  void take_validation(const IndexedPairs& text, const ExampleEncoder& encoder, int threads,
                       Listener& listener) override {
    const bool refused = !settings_.stories || settings_.unknown_answers == UnknownAnswers::refuse;
    const char* const advice =
        settings_.stories ? "to count such answers as wrong, give --unknown-answers wrong" : "";
    if (refused) expect_known_labels(text, settings_.labels, advice);
    valid_ = read_text(text, encoder, threads, listener).examples;
  }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures;
    const int tokens = settings_.loop.batches.batch_tokens;
    figures.cross_entropy = cross_entropy(parts.network, valid_, tokens, parts.workers, parts.ranks);
    const ClassPredictor* const predictor = parts.network.class_predictor();
    expects(predictor != nullptr, "the network of a classifier has no class predictor");
    figures.accuracy = accuracy(*predictor, valid_, tokens, parts.workers, parts.ranks);
    return figures;
  }

 private:
  void fit_to_items() {
    NetworkSettings& network = settings_.network;
    network.source = source_;
    set_vocabulary(network, kWithoutText);
    network.classifier.classes = static_cast<int>(settings_.labels.size());
    gloss::check(network.source);
    if (network.source.type == SourceType::image) network.sizes.max_positions = row_length(network);
  }

  ClassificationTrainingSettings settings_;
  SourceSettings source_ = settings_.network.source;  // with what follows from the training items
  Corpus valid_;
};

}  // namespace

TrainingEnd train_classifier(const ClassificationTrainingSettings& settings, const TrainingRun& run,
                             Listener& listener, Ranks& ranks) {
  ClassificationTask task(settings);
  return train_model(task, run, listener, ranks);
}

}  // namespace gloss
