// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/pretraining.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "pipeline/tasks/corpus_figures.h"
#include "pipeline/training/starting_models.h"
#include "pipeline/training/validation.h"

namespace gloss {
namespace {

/// The common part of trainings on plain text.
class PlainTextTask : public TrainingTask {
 public:
  explicit PlainTextTask(const PretrainingSettings& settings) : settings_(settings) {}

  ModelTrainingSettings& settings() override { return settings_; }
  Fields all_fields() override { return all_fields_of(settings_); }
  void check() override { gloss::check(settings_); }
  std::string use(const std::string& model) const override {
    switch (settings_.objective) {
      case Objective::lm:
        return concat("continue text: gloss generate -m ", model, " FILE");
      case Objective::mlm:
        return concat("fill gaps: gloss fill -m ", model, " FILE");
      case Objective::denoise:
        return concat("adapt it to a task: gloss finetune -m ", model,
                      " --source FILE --target FILE -o OUTPUT");
    }
    throw BrokenPromise("an objective without a use");
  }

  std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers& tokenizers) const override {
    const Subwords& subwords = *tokenizers.target;
    const TokenizerSettings& text = settings_.tokenizers;
    return std::make_unique<PlainEncoder>(counting_encoder(subwords, text.normalization, text.bpe_dropout),
                                          first_token(subwords), examples(subwords), settings_.plain,
                                          openings(subwords));
  }

  LearningTask learning() const override {
    const bool encodes = form_of(settings_.objective) != Form::decoder;
    constexpr double kNextTokensTeachMore = 0.5;  // of which every line has many
    return {.updates = encodes ? 1 : kNextTokensTeachMore,
            .network = encodes ? faster_encoder(settings_.network)
                               : nlohmann::json{{"decoder_mixers", {"dynamic", "attention"}}}};
  }
  bool learns_passages() const override { return settings_.plain.document != Document::line; }

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
  /// The token before a document.
  virtual TokenId first_token(const Subwords& subwords) const { return subwords.end_id(); }
  /// The opening tokens of the blocks of each language.
  virtual Openings openings(const Subwords&) const { return {}; }
  /// Sets the network's vocabulary to that of the tokenizer plus `further` tokens.
  void take_vocabulary(const Subwords& subwords, int further) {
    const int size = subwords.size() + further;
    set_vocabulary(settings_.network, {size, size, subwords.begin_id(), subwords.end_id()});
  }

  PretrainingSettings settings_;
  EncodedText valid_;
};

/// Training of language models.
class LanguageModelTask : public PlainTextTask {
 public:
  using PlainTextTask::PlainTextTask;

  void fit_network(const Tokenizers& tokenizers) override { take_vocabulary(*tokenizers.target, 0); }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures = PlainTextTask::validate(parts);
    figures.bits_per_character = bits_per_character(figures.cross_entropy, valid_);
    return figures;
  }

 private:
  std::shared_ptr<const BlockExamples> examples(const Subwords&) const override {
    return std::make_shared<ContinuedBlocks>();
  }
  TokenId first_token(const Subwords& subwords) const override {
    return begin_token_of(settings_.network, subwords.begin_id(), subwords.end_id());
  }
};

/// Training of masked language models. The mask's ID follows those of the tokenizer's pieces.
class MaskedModelTask : public PlainTextTask {
 public:
  using PlainTextTask::PlainTextTask;

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    settings_.mask_token = mask_token_of(settings_, subwords);
    take_vocabulary(subwords, settings_.mask_token == subwords.size() ? 1 : 0);
  }

 private:
  std::shared_ptr<const BlockExamples> examples(const Subwords& subwords) const override {
    return std::make_shared<MaskedBlocks>(subwords, settings_.mask_token, settings_.mask);
  }
};

/// Training of denoising models, which can be fine-tuned for translation. The mask's ID follows those of the
/// tokenizer's pieces, among them a symbol for each language.
class DenoisingTask : public PlainTextTask {
 public:
  explicit DenoisingTask(const PretrainingSettings& settings) : PlainTextTask(settings) {
    for (const std::string& language : languages()) settings_.symbols.push_back(symbol_of(language));
  }

  void fit_network(const Tokenizers& tokenizers) override {
    const Subwords& subwords = *tokenizers.target;
    settings_.mask_token = subwords.size();
    take_vocabulary(subwords, 1);
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

TrainingEnd pretrain(const PretrainingSettings& settings, const TrainingRun& run, Listener& listener,
                     Ranks& ranks) {
  const std::unique_ptr<TrainingTask> task = make_task(settings);
  return train_model(*task, run, listener, ranks);
}

}  // namespace gloss
