// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/translation_training.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/index.h"
#include "base/nameless_file.h"
#include "model/model_directory.h"
#include "model/model_paths.h"
#include "pipeline/media/learn_source.h"
#include "pipeline/tasks/corpus_figures.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/training/starting_models.h"
#include "pipeline/translation/length_limits.h"

namespace gloss {
namespace {

/// Training of translation models on parallel text, or on items and their texts.
class TranslationTask : public TrainingTask {
 public:
  explicit TranslationTask(const TranslationTrainingSettings& settings) : settings_(settings) {}

  ModelTrainingSettings& settings() override { return settings_; }
  Fields all_fields() override { return all_fields_of(settings_); }
  void check() override { gloss::check(settings_); }
  std::string use(const std::string& model) const override {
    return concat("translate: gloss translate -m ", model, " FILE");
  }

  void take_training_text(std::span<const WeightedText> texts) override {
    if (reads_items()) learn_from_items(texts, settings_.items.skip_broken, source_);
  }

  void fit_network(const Tokenizers& tokenizers) override {
    NetworkSettings& network = settings_.network;
    network.source = source_;
    set_vocabulary(network, {tokenizers.source->size(), tokenizers.target->size(),
                             tokenizers.target->begin_id(), tokenizers.target->end_id()});
    if (shares_sides(network.sizes.tied_embeddings) && !tokenizers.share_pieces()) {
      throw UsageError(concat("--tied-embeddings ", name_of(network.sizes.tied_embeddings),
                              " needs the same pieces with the same ids on both sides, such as those of one ",
                              "--tokenizer; with others, choose target or none"));
    }
    if (settings_.r_drop > 0 && !has_dropout(network)) {
      throw UsageError(
          "--r-drop compares predictions with different dropout, but this network has none: set --dropout "
          "above 0, or leave out --r-drop");
    }
    if (settings_.teachers != nullptr) {
      settings_.teachers->expect_fit(tokenizers, settings_.corpus.max_length, frame().target_order);
    }
    if (guided()) {
      Parameters nothing;
      if (!make_network(network, nothing)->attends()) {
        throw UsageError(
            "--guided-alignment needs attention to the source, which this network does not have "
            "(--attention none); leave it out or choose another attention");
      }
      network.sizes.alignment_head = 1;
    }
    if (settings_.ctc_weight > 0) network.sizes.ctc_head = true;
    if (settings_.validation.bleu && settings_.validation.beam_size > network.target_vocabulary) {
      throw UsageError(concat("--valid-beam-size ", settings_.validation.beam_size,
                              " is larger than the vocabulary of ", network.target_vocabulary, " pieces"));
    }
  }

  std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers& tokenizers) const override {
    CorpusSettings corpus = settings_.corpus;
    corpus.links = guided();
    if (reads_items()) {
      const TokenizerSettings& text = settings_.tokenizers;
      return std::make_unique<DescribedItemEncoder>(
          settings_.network, settings_.items,
          line_encoder(*tokenizers.target, text.normalization, text.bpe_dropout, frame().of_target()), corpus,
          text.bpe_dropout > 0);
    }
    return pair_encoder(settings_.tokenizers, tokenizers, corpus, frame());
  }

  void complete(TextFormat& format) const override {
    format.target_order = frame().target_order;
    const auto take = [&](const std::string& chosen, const std::string& option, std::string& language) {
      if (!chosen.empty()) language = language_code(format.languages, chosen, option);
    };
    take(settings_.languages.source, "--source-language", format.languages.source);
    take(settings_.languages.target, "--target-language", format.languages.target);
  }

  void take_validation(const IndexedPairs& text, const ExampleEncoder& encoder, int threads,
                       Listener& listener) override {
    valid_pairs_ = read_pairs(text);
    EncodedText encoded = read_text(text, encoder, threads, listener);
    valid_corpus_ = std::move(encoded.examples);
    valid_expansion_ = expansion_of(encoded.found.expansions);
    if (text.items() != nullptr) valid_items_ = *text.items();
    if (!settings_.old_text.empty())
      old_pairs_ = read_pairs(IndexedPairs(settings_.old_text, temporary_folder(), listener));
  }

  LearningTask learning() const override {
    return {.figure = settings_.validation.bleu ? StopOn::bleu : StopOn::cross_entropy,
            .network = faster_encoder(settings_.network)};
  }

  ValidationFigures validate(const ValidationParts& parts) const override {
    ValidationFigures figures;
    figures.cross_entropy = cross_entropy(parts.network, valid_corpus_, settings_.loop.batches.batch_tokens,
                                          parts.workers, parts.ranks);
    if (!settings_.validation.bleu) return figures;
    TranslationSettings translation;
    translation.search.beam_size = settings_.validation.beam_size;
    translation.search.max_length_factor = length_factor(valid_expansion_);
    limit_lengths(settings_.network, translation, frame());
    if (reads_items())
      translation.search.max_length = std::min(translation.search.max_length, longest_text());
    Translator translator(parts.network, *parts.tokenizers.source, *parts.tokenizers.target,
                          settings_.tokenizers.normalization, translation, parts.threads, frame());
    if (reads_items()) translator.read_items(ItemRows(settings_.network, valid_items_));
    add_translation_figures(translator, some_of(valid_pairs_), settings_.validation, parts.ranks, figures);
    if (old_pairs_.empty()) return figures;
    ValidationSettings without_samples = settings_.validation;
    without_samples.samples = 0;
    ValidationFigures old;
    add_translation_figures(translator, some_of(old_pairs_), without_samples, parts.ranks, old);
    figures.old_bleu = old.bleu;
    return figures;
  }

  LearningGoal goal() override {
    LearningGoal goal = TrainingTask::goal();
    if (guided()) goal.terms.alignment_weight = settings_.guided_alignment_weight;
    goal.terms.r_drop = settings_.r_drop;
    goal.terms.doubly_stochastic = settings_.doubly_stochastic;
    goal.terms.ctc_weight = settings_.ctc_weight;
    if (settings_.teachers != nullptr) {
      goal.terms.distillation_weight = settings_.distillation.weight;
      goal.teachers = settings_.teachers;
    }
    return goal;
  }

  void take_checkpoint(const std::string& folder) override {
    expect_same_teachers(settings_.distillation, folder);
    if (!reads_items()) return;
    take_learned(network_settings(read_model_config(folder), folder + "/" + kConfigFile).source, source_);
  }

 private:
  /// True if the source is not text.
  bool reads_items() const { return !settings_.network.source.is_text(); }
  /// The pairs of a text that validations translate.
  std::span<const SentencePair> some_of(const std::vector<SentencePair>& pairs) const {
    const auto limit = index(settings_.validation.lines);
    return std::span(pairs).first(limit == 0 ? pairs.size() : std::min(limit, pairs.size()));
  }
  /// Twice the tokens of the longest text of the validation: an untrained network finds no end.
  int longest_text() const {
    std::size_t longest = 1;
    for (std::size_t pair = 0; pair < valid_corpus_.size(); ++pair) {
      longest = std::max(longest, valid_corpus_.target(static_cast<PairIndex>(pair)).size());
    }
    return static_cast<int>(2 * longest);
  }
  /// True if attention follows alignments of the training text.
  bool guided() const { return !settings_.text.guided_alignment.empty(); }
  /// The tokens around lines that the starting model expects, or the order of the tokens of a new one.
  PairFrame frame() const {
    if (settings_.starting_models) return frame_of(settings_.starting_models->format(), settings_.languages);
    PairFrame frame;
    frame.target_order = settings_.target_order;
    return frame;
  }

  TranslationTrainingSettings settings_;
  SourceSettings source_ = settings_.network.source;  // with what follows from the training items
  std::vector<SentencePair> valid_pairs_;
  std::vector<SentencePair> old_pairs_;
  ItemList valid_items_;  // which the sources of these pairs name, if they are not text
  Corpus valid_corpus_;
  double valid_expansion_ = 0;
};

}  // namespace

TrainingEnd train_translation(const TranslationTrainingSettings& settings, const TrainingRun& run,
                              Listener& listener, Ranks& ranks) {
  TranslationTask task(settings);
  return train_model(task, run, listener, ranks);
}

}  // namespace gloss
