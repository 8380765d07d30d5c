#include "pipeline/pretraining.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "pipeline/validation.h"

namespace gloss {
namespace {

/// What learning from plain text has in common.
class PlainTextTask : public TrainingTask {
 public:
  explicit PlainTextTask(const PretrainingSettings& settings) : settings_(settings) {}

  ModelTrainingSettings& settings() override { return settings_; }
  Fields all_fields() override { return all_fields_of(settings_); }
  void check() override { gloss::check(settings_); }

  std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers& tokenizers) const override {
    const Subwords& subwords = *tokenizers.target;
    const TokenizerSettings& text = settings_.tokenizers;
    return std::make_unique<PlainEncoder>(counting_encoder(subwords, text.normalization, text.bpe_dropout),
                                          subwords.end_id(), examples(subwords), settings_.plain,
                                          openings(subwords));
  }

  void take_validation(const IndexedPairs& text, const ExampleEncoder& encoder, int threads,
                       Listener& listener) override {
    valid_ = read_text(text, encoder, threads, listener);
  }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures;
    figures.cross_entropy = cross_entropy(parts.network, valid_.examples, settings_.loop.batches.batch_tokens,
                                          parts.workers, parts.ranks);
    return figures;
  }

 protected:
  virtual std::shared_ptr<const BlockExamples> examples(const Subwords&) const = 0;
  /// What opens the blocks of text of each language.
  virtual Openings openings(const Subwords&) const { return {}; }
  void set_vocabulary(int size, TokenId begin, TokenId end) {
    NetworkSettings& network = settings_.network;
    network.source_vocabulary = network.target_vocabulary = size;
    network.begin_token = begin;
    network.end_token = end;
  }

  PretrainingSettings settings_;
  EncodedText valid_;
};

/// Learning to continue text.
class LanguageModelTask : public PlainTextTask {
 public:
  using PlainTextTask::PlainTextTask;

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    set_vocabulary(subwords.size(), subwords.end_id(), subwords.end_id());
  }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures = PlainTextTask::validate(parts);
    figures.bits_per_character = bits_per_character(figures.cross_entropy, valid_);
    return figures;
  }

 private:
  std::shared_ptr<const BlockExamples> examples(const Subwords&) const override {
    return std::make_shared<ContinuedBlocks>();
  }
};

/// Learning to tell what masks hide. The mask stands behind the pieces of the tokenizer.
class MaskedModelTask : public PlainTextTask {
 public:
  using PlainTextTask::PlainTextTask;

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    settings_.mask_token = subwords.size();
    set_vocabulary(subwords.size() + 1, subwords.begin_id(), subwords.end_id());
  }

 private:
  std::shared_ptr<const BlockExamples> examples(const Subwords& subwords) const override {
    return std::make_shared<MaskedBlocks>(subwords, settings_.mask_token, settings_.mask);
  }
};

/// Learning to restore text, by a network that can learn to translate then. The mask stands behind the pieces
/// of the tokenizer, which has a symbol for each language.
class DenoisingTask : public PlainTextTask {
 public:
  explicit DenoisingTask(const PretrainingSettings& settings) : PlainTextTask(settings) {
    for (const std::string& language : languages()) settings_.symbols.push_back(symbol_of(language));
  }

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    settings_.mask_token = subwords.size();
    set_vocabulary(subwords.size() + 1, subwords.begin_id(), subwords.end_id());
  }

 private:
  static std::string symbol_of(const std::string& language) { return "<" + language + ">"; }
  std::set<std::string> languages() const {
    return {settings_.text.languages.begin(), settings_.text.languages.end()};
  }

  std::shared_ptr<const BlockExamples> examples(const Subwords& subwords) const override {
    std::size_t opening = 0;
    for (const auto& [language, tokens] : openings(subwords)) opening = std::max(opening, tokens.size());
    return std::make_shared<NoisyBlocks>(subwords, settings_.mask_token, settings_.noise,
                                         static_cast<int>(opening));
  }

  Openings openings(const Subwords& subwords) const override {
    Openings all;
    for (const std::string& language : languages()) all[language] = subwords.encode(symbol_of(language));
    return all;
  }
};

std::unique_ptr<TrainingTask> make_task(const PretrainingSettings& settings) {
  switch (settings.objective) {
    case Objective::lm:
      return std::make_unique<LanguageModelTask>(settings);
    case Objective::mlm:
      return std::make_unique<MaskedModelTask>(settings);
    case Objective::denoise:
      return std::make_unique<DenoisingTask>(settings);
  }
  throw BrokenPromise("an objective without a task");
}

}  // namespace

PretrainingSettings::PretrainingSettings() {
  network.transformer.norm = NormPlacement::pre;
  network.transformer.activation = Activation::gelu;
  network.transformer.max_positions = plain.block_length;
  network.recurrent.attention = AttentionScore::none;  // there is no source
  network.recurrent.bidirectional = false;
  network.recurrent.context = SourceContext::first;
  network.recurrent.first_state = FirstState::zero;
  loop.training.label_smoothing = 0;
}

Field objective_field(Objective& objective) {
  return {"objective", choice(objective, {"lm", "mlm", "denoise"}),
          "what is learned: each token from those before it (lm), hidden ones from all others (mlm), or the "
          "text that noise was added to (denoise)"};
}

Form form_of(Objective objective) {
  switch (objective) {
    case Objective::lm:
      return Form::decoder;
    case Objective::mlm:
      return Form::encoder;
    case Objective::denoise:
      return Form::encoder_decoder;
  }
  throw BrokenPromise("an objective without a form");
}

void apply_objective(PretrainingSettings& settings) {
  TransformerSettings& network = settings.network.transformer;
  const Form form = form_of(settings.objective);
  if (form == Form::decoder) network.encoder_layers = 0;
  if (form == Form::encoder) network.decoder_layers = 0;
}

Fields data_fields_of(PretrainingSettings& settings) {
  Fields fields = plain_fields_of(settings.text);
  fields.push_back({"valid_input", &settings.valid_text.plain, "text that the model is judged by"});
  fields.push_back({"valid_language", &settings.valid_text.language, "denoise: its language"});
  append(fields, fields_of(settings.plain));
  append(fields, fields_of(settings.mask));
  append(fields, fields_of(settings.noise));
  return fields;
}

Fields all_fields_of(PretrainingSettings& settings) {
  Fields fields{objective_field(settings.objective)};
  append(fields, data_fields_of(settings));
  append(fields, plain_fields_of(settings.tokenizers));
  append(fields, fields_of(settings.network));
  append(fields, fields_of(settings.start));
  append(fields, loop_fields_of(settings.loop));
  fields.push_back({"ranks", &settings.ranks, "processes that learn together"});
  return fields;
}

namespace {

void check_languages(const PretrainingSettings& settings) {
  const std::vector<std::string>& languages = settings.text.languages;
  const std::string& valid = settings.valid_text.language;
  if (settings.objective != Objective::denoise && !(languages.empty() && valid.empty())) {
    throw UsageError(
        "--languages and --valid-language have no effect: they are for --objective denoise; leave them out");
  }
  if (languages.empty() && settings.text.temperature != 1) {
    throw UsageError("--language-temperature needs to know the --languages of the corpora; found none");
  }
  if (!valid.empty() && std::ranges::count(languages, valid) == 0) {
    throw UsageError(concat("--valid-language is ", valid, ", expected one of --languages: ",
                            languages.empty() ? "found none" : join(languages, ", ")));
  }
}

}  // namespace

void check(const PretrainingSettings& settings) {
  if (settings.text.plain.empty()) throw UsageError("what shall it learn from? Give text with --input FILE");
  check(static_cast<const ModelTrainingSettings&>(settings));
  check_languages(settings);
  const TrainingSettings& training = settings.loop.training;
  if (settings.valid_text.empty() && training.early_stopping > 0) {
    throw UsageError("--early-stopping needs a validation text: --valid-input");
  }
  if (training.stop_on != StopOn::cross_entropy) {
    throw UsageError(
        "--stop-on bleu is for translation models and accuracy for classifiers; plain text has cross_entropy "
        "only");
  }
  const int positions = settings.network.transformer.max_positions;
  if (settings.plain.block_length > positions) {
    throw UsageError(concat("--block-length ", settings.plain.block_length,
                            " does not fit into --max-positions ", positions));
  }
}

TrainingEnd pretrain(const PretrainingSettings& settings, const TrainingRun& run, Listener& listener,
                     Ranks& ranks) {
  const std::unique_ptr<TrainingTask> task = make_task(settings);
  return train_model(*task, run, listener, ranks);
}

}  // namespace gloss
