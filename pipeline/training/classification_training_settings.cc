// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/classification_training.h"

#include "base/error.h"
#include "base/shown.h"
#include "model/networks/memory/memory_settings.h"
#include "pipeline/training/starting_models.h"

namespace gloss {

ClassificationTrainingSettings::ClassificationTrainingSettings(bool of_stories) : stories(of_stories) {
  apply_purpose(Purpose::classification, network);
  loop.training.label_smoothing = 0;
  loop.training.stop_on = StopOn::accuracy;
  if (!stories) return;
  hold_out = false;
  network.architecture = "memory";
  tokenizers.vocab_type = VocabularyType::word;
  // Small networks: many small updates. Several batches make an update, so that it has stories of all
  // lengths.
  loop.training.precision = Precision::f32;
  loop.training.max_updates = 0;
  loop.training.max_epochs = 100;
  loop.batches = {.batch_tokens = 1000, .accumulation = 4, .gradient_shards = 1};
  loop.schedule = {.learning_rate = 0.01, .warmup_updates = 200, .decay = Decay::linear};
}

Fields data_fields_of(ClassificationTrainingSettings& settings) {
  Fields fields = settings.stories ? story_fields_of(settings.text) : labelled_fields_of(settings.text);
  std::string& valid = settings.stories                    ? settings.valid_text.stories
                       : settings.valid_text.items.empty() ? settings.valid_text.labelled
                                                           : settings.valid_text.items;
  fields.push_back({"valid_input", &valid, "validation text, in the format of --input", {}, 0, "FILE"});
  add_traits(fields, kFreeOnResume, valid);
  if (settings.stories) {
    fields.push_back(
        {"unknown_answers", choice(settings.unknown_answers, {"refuse", "wrong"}),
         "answers of --valid-input that the model cannot give, since the training text lacks them: "
         "refuse them, or count them as wrong"});
    add_traits(fields, kFreeOnResume, settings.unknown_answers);
    return fields;
  }
  fields.push_back(hold_out_field(settings));
  fields.push_back(item_labels_field(settings.text));
  fields.push_back({"valid_labels",
                    &settings.valid_text.item_labels,
                    "labels of the images of --valid-input, if that is an idx archive",
                    {},
                    0,
                    "FILE",
                    kFreeOnResume});
  fields.push_back({"word_dropout",
                    &settings.word_dropout,
                    "probability of dropping a word of a training text; sampled again in each epoch",
                    {0, 0.99}});
  return fields;
}

Fields all_fields_of(ClassificationTrainingSettings& settings) {
  Fields fields = data_fields_of(settings);
  if (settings.network.source.is_text()) {
    leave_out(fields, settings.text.item_labels, settings.valid_text.item_labels);
  } else {
    fields.push_back(source_type_field(settings.network.source));
    append(fields, item_fields_of(settings.network.source, settings.items));
  }
  append(fields, plain_fields_of(settings.tokenizers));
  append(fields, chosen_fields_of(settings.network));
  append(fields, fields_of(settings.network.classifier));
  append(fields, run_fields_of(settings));
  return fields;
}

std::set<std::string> take_classify_preset(ClassificationTrainingSettings& settings, const Given& given) {
  if (settings.stories) {
    throw UsageError(
        "--preset classify is for --task classify; leave it out: --task answer has its own defaults");
  }
  if (given(&settings.network.architecture) && settings.network.architecture != "convolutional") {
    throw UsageError(concat("--preset classify is a convolutional network, but --architecture is ",
                            shown(settings.network.architecture), "; leave out one of the two options"));
  }
  settings.network.architecture = "convolutional";
  std::set<std::string> names;
  Fields all = all_fields_of(settings);
  const auto set = [&](auto& member, const auto value) {
    if (!given(&member)) member = value;
    names.insert(field_at(all, &member).name);
  };
  LoopSettings& loop = settings.loop;
  set(settings.word_dropout, 0.1);
  set(loop.training.label_smoothing, 0.1);
  set(loop.training.max_epochs, std::int64_t{10});
  set(loop.batches.batch_tokens, 512);
  set(loop.schedule.learning_rate, 0.001);
  set(loop.schedule.warmup_updates, 100);
  set(loop.schedule.decay, Decay::linear);
  set(loop.moving_average.ema_decay, 0.995);
  return names;
}

void take_start(ClassificationTrainingSettings& settings) {
  const TextFormat& format = settings.starting_models->format();
  settings.mask_token = format.mask_token;
  settings.labels = format.labels;
  // In a language model, only the last token depends on the whole text.
  if (form_of(settings.network) == Form::decoder) settings.network.classifier.pooling = Pooling::last;
  NetworkSettings classifier = settings.network;
  classifier.classifier.classes = 2;
  try {
    gloss::check(classifier);
  } catch (const UsageError& error) {
    throw UsageError(concat(settings.start.model, " cannot become a classifier: ", error.what(),
                            "; give another model, or leave out --model to train a new network"));
  }
}

void check(const ClassificationTrainingSettings& settings) {
  if (settings.stories && settings.text.stories.empty()) {
    throw UsageError("no training text: give --input FILE with lines 'story TAB question TAB answer'");
  }
  if (!settings.stories && needs_stories(settings.network)) {
    throw UsageError(concat("--architecture ", settings.network.architecture,
                            " answers questions about stories; use --task answer, or another architecture"));
  }
  if (!settings.network.source.is_text() && settings.text.labelled.empty())
    throw UsageError(
        "no training items: give --input FILE, a list with lines 'path TAB label' or an idx archive of "
        "images");
  if (!settings.stories && settings.text.labelled.empty()) {
    throw UsageError("no training text: give --input FILE with lines 'label TAB text'");
  }
  check(static_cast<const ModelTrainingSettings&>(settings));
  const TrainingSettings& training = settings.loop.training;
  if (settings.valid_text.empty() && settings.unknown_answers == UnknownAnswers::wrong) {
    throw UsageError(
        "--unknown-answers has no effect without a validation text: give --valid-input FILE, or leave it "
        "out");
  }
  const int linear_epochs =
      needs_stories(settings.network) ? settings.network.own<MemorySettings>().linear_start : 0;
  if (linear_epochs > 0 && training.max_epochs > 0 && linear_epochs >= training.max_epochs) {
    throw UsageError(concat("--linear-start ", linear_epochs,
                            " leaves no epoch with softmax: --max-epochs is ", training.max_epochs,
                            "; expected fewer than that"));
  }
  if (training.stop_on == StopOn::bleu) {
    throw UsageError(
        "--stop-on bleu is for translation models; for classifiers use accuracy or cross_entropy");
  }
}

}  // namespace gloss
