#include "pipeline/classification_training.h"

#include "base/error.h"
#include "pipeline/labelled_encoding.h"
#include "pipeline/labels.h"
#include "pipeline/text_model.h"
#include "pipeline/training_directory.h"
#include "pipeline/validation.h"

namespace gloss {
namespace {

/// Learning to tell the labels of texts.
class ClassificationTask : public TrainingTask {
 public:
  explicit ClassificationTask(const ClassificationTrainingSettings& settings) : settings_(settings) {}

  ModelTrainingSettings& settings() override { return settings_; }
  Fields all_fields() override { return all_fields_of(settings_); }
  void check() override { gloss::check(settings_); }

  void take_training_text(std::span<const WeightedText> texts) override {
    if (settings_.labels.empty()) {
      settings_.labels = labels_of(texts);
      return;
    }
    for (const WeightedText& text : texts) expect_known_labels(*text.pairs, settings_.labels);
  }
  void take_checkpoint(const std::string& folder) override {
    settings_.labels = read_text_format(folder).labels;
  }

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    NetworkSettings& network = settings_.network;
    // A masked model's table has a row for the mask, which stays.
    const bool masks = settings_.mask_token >= 0;
    if (masks) settings_.mask_token = subwords.size();
    network.source_vocabulary = network.target_vocabulary = subwords.size() + (masks ? 1 : 0);
    network.begin_token = network.transformer.encoder_layers == 0 ? subwords.end_id() : subwords.begin_id();
    network.end_token = subwords.end_id();
    network.classifier.classes = static_cast<int>(settings_.labels.size());
  }

  std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers& tokenizers) const override {
    const TokenizerSettings& text = settings_.tokenizers;
    const NetworkSettings& network = settings_.network;
    return std::make_unique<LabelledEncoder>(
        line_encoder(*tokenizers.target, text.normalization, text.bpe_dropout), *tokenizers.target,
        network.begin_token, settings_.labels, network.transformer.max_positions,
        LabelledNoise{text.bpe_dropout > 0, settings_.word_dropout});
  }

  void take_validation(const IndexedPairs& text, const ExampleEncoder& encoder, int threads,
                       Listener& listener) override {
    expect_known_labels(text, settings_.labels);
    valid_ = read_text(text, encoder, threads, listener).examples;
  }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures;
    const int tokens = settings_.loop.batches.batch_tokens;
    figures.cross_entropy = cross_entropy(parts.network, valid_, tokens, parts.workers, parts.ranks);
    figures.accuracy = accuracy(dynamic_cast<const ClassifierNetwork&>(parts.network), valid_, tokens,
                                parts.workers, parts.ranks);
    return figures;
  }

 private:
  ClassificationTrainingSettings settings_;
  Corpus valid_;
};

}  // namespace

ClassificationTrainingSettings::ClassificationTrainingSettings() {
  network.transformer.norm = NormPlacement::pre;
  network.transformer.activation = Activation::gelu;
  loop.training.label_smoothing = 0;
  loop.training.stop_on = StopOn::accuracy;
}

Fields data_fields_of(ClassificationTrainingSettings& settings) {
  Fields fields = labelled_fields_of(settings.text);
  fields.push_back({"valid_input", &settings.valid_text.labelled, "the same, that the model is judged by"});
  fields.push_back({"word_dropout",
                    &settings.word_dropout,
                    "share of the words that are left out of training texts, others each time",
                    {0, 0.99}});
  return fields;
}

Fields all_fields_of(ClassificationTrainingSettings& settings) {
  Fields fields = data_fields_of(settings);
  append(fields, plain_fields_of(settings.tokenizers));
  append(fields, fields_of(settings.network));
  fields.push_back(pooling_field(settings.network.classifier));
  append(fields, fields_of(settings.start));
  append(fields, loop_fields_of(settings.loop));
  fields.push_back({"ranks", &settings.ranks, "processes that learn together"});
  return fields;
}

void take_start(ClassificationTrainingSettings& settings) {
  const TextFormat format = read_text_format(model_directory_of(settings.start.from));
  settings.mask_token = format.mask_token;
  settings.labels = format.labels;
  // What a language model has read is told by its last token.
  const bool decoder = form_of(settings.network) == Form::decoder;
  if (decoder && settings.network.architecture == Architecture::recurrent) {
    throw UsageError(concat(settings.start.from,
                            " is a recurrent language model, which tells no classes; give a "
                            "transformer, or leave --from out for a new network"));
  }
  if (decoder) settings.network.classifier.pooling = Pooling::last;
}

void check(const ClassificationTrainingSettings& settings) {
  if (settings.text.labelled.empty()) {
    throw UsageError("what shall it learn from? Give lines 'label TAB text' with --input FILE");
  }
  check(static_cast<const ModelTrainingSettings&>(settings));
  const TrainingSettings& training = settings.loop.training;
  if (settings.valid_text.empty() && training.early_stopping > 0) {
    throw UsageError("--early-stopping needs a validation text: --valid-input");
  }
  if (training.stop_on == StopOn::bleu) {
    throw UsageError("--stop-on bleu is for translation models; classifiers have accuracy and cross_entropy");
  }
}

TrainingEnd train_classifier(const ClassificationTrainingSettings& settings, const TrainingRun& run,
                             Listener& listener, Ranks& ranks) {
  ClassificationTask task(settings);
  return train_model(task, run, listener, ranks);
}

}  // namespace gloss
