#include "pipeline/translation_training.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "model/model_directory.h"
#include "pipeline/network_learner.h"
#include "pipeline/random_purposes.h"
#include "pipeline/translation_model.h"

namespace gloss {
namespace {

/// A corpus in memory as the only window.
class WholeCorpus : public WindowSource {
 public:
  explicit WholeCorpus(const Corpus& corpus) : corpus_(corpus) {}
  std::int64_t windows() const override { return 1; }
  std::shared_ptr<const Corpus> window(std::int64_t, std::int64_t, std::stop_token) override {
    return {std::shared_ptr<void>(), &corpus_};
  }

 private:
  const Corpus& corpus_;
};

/// The training in progress: what stands in its directory and is needed from setting up to the end.
class TranslationTraining {
 public:
  TranslationTraining(const TranslationTrainingSettings& settings, const TrainingRun& run, Listener& listener)
      : settings_(settings), run_(run), listener_(listener) {}

  TrainingEnd run() {
    check(settings_);
    Precision& precision = settings_.loop.training.precision;
    precision = resolved(precision);
    PairReader reachable(settings_.text);  // before anything is written
    if (!settings_.valid_text.empty()) valid_pairs_ = read_pairs(settings_.valid_text);
    TrainingDirectory directory(run_.output);
    const std::vector<Checkpoint> checkpoints = directory.checkpoints();
    if (!checkpoints.empty() && !run_.fresh) latest_ = checkpoints.back().path;
    prepare_tokenizers();
    prepare_network_settings();
    if (continues()) {
      if (const std::optional<TrainingEnd> end = already_ended(directory)) return *end;
    }
    read_corpora();
    prepare_model();
    if (run_.fresh) directory.clear();  // not before all that is needed was found in order
    return train(directory);
  }

 private:
  bool continues() const { return !latest_.empty(); }

  void prepare_tokenizers() {
    const TokenizerSettings& wanted = settings_.tokenizers;
    if (!continues()) {
      tokenizers_ = wanted.learned()
                        ? learn_tokenizers(wanted, settings_.text, settings_.loop.training.seed, listener_)
                        : load_tokenizers(wanted);
      return;
    }
    tokenizers_ = stored_tokenizers(latest_);
    if (wanted.learned()) return;
    const Tokenizers given = load_tokenizers(wanted);
    if (given.source->bytes() != tokenizers_.source->bytes() ||
        given.target->bytes() != tokenizers_.target->bytes()) {
      throw UsageError(concat("the training in ", run_.output, " was started with another tokenizer than ",
                              wanted.tokenizer.empty()
                                  ? wanted.source_tokenizer + ", " + wanted.target_tokenizer
                                  : wanted.tokenizer,
                              "; give that one, choose another --output, or start over with --fresh"));
    }
  }

  void prepare_network_settings() {
    NetworkSettings& network = settings_.network;
    network.source_vocabulary = tokenizers_.source->size();
    network.target_vocabulary = tokenizers_.target->size();
    network.begin_token = tokenizers_.target->begin_id();
    network.end_token = tokenizers_.target->end_id();
    if (network.transformer.tied_embeddings == TiedEmbeddings::all && !tokenizers_.shared()) {
      throw UsageError(
          "--tied-embeddings all needs one --tokenizer for both sides; with two choose target or none");
    }
    check(network);
    if (settings_.validation.bleu && settings_.validation.beam_size > network.target_vocabulary) {
      throw UsageError(concat("--valid-beam-size ", settings_.validation.beam_size,
                              " is larger than the vocabulary of ", network.target_vocabulary, " pieces"));
    }
    if (continues()) {
      const nlohmann::json config = read_model_config(latest_);
      expect_same_settings(settings_, config.value("training", nlohmann::json()), run_.output);
    }
  }

  std::optional<TrainingEnd> already_ended(TrainingDirectory& directory) {
    const TrainingState state = read_training_record(latest_).state;
    if (state.temporary) return std::nullopt;  // what it ends with is still to be validated
    const std::optional<TrainingEnd> end = training_end(settings_.loop.training, state);
    if (end) {
      // The run before may have ended between its last checkpoint and the links.
      directory.link("last", state.update);
      const auto is_best = [&](const Checkpoint& c) { return c.update == state.best_update; };
      const std::vector<Checkpoint> kept = directory.checkpoints();
      if (std::any_of(kept.begin(), kept.end(), is_best)) directory.link("best", state.best_update);
      listener_.note(concat("the training in ", run_.output, " is already finished: ", state.update,
                            " updates; raise the limit that ended it (--max-updates, --max-epochs, "
                            "--max-tokens, --max-minutes, --early-stopping) to go on, or start over with "
                            "--fresh"));
    }
    return end;
  }

  void read_corpora() {
    const LineEncoder source = line_encoder(*tokenizers_.source, settings_.tokenizers.normalization);
    const LineEncoder target = line_encoder(*tokenizers_.target, settings_.tokenizers.normalization);
    const auto read = [&](const ParallelFiles& files) {
      return read_corpus(files, settings_.corpus, source, target, run_.threads, listener_);
    };
    if (!settings_.valid_text.empty()) valid_corpus_ = read(settings_.valid_text);
    corpus_ = read(settings_.text);
    data_ = {{"training_text", corpus_.fingerprint()}, {"validation_text", valid_corpus_.fingerprint()}};
    if (!continues()) return;
    const nlohmann::json stored = read_training_record(latest_).data;
    expect_same_data(stored, "training_text", settings_.text);
    expect_same_data(stored, "validation_text", settings_.valid_text);
  }

  void expect_same_data(const nlohmann::json& stored, const char* name, const ParallelFiles& files) const {
    if (stored.is_object() && stored.value(name, nlohmann::json()) == data_.at(name)) return;
    throw UsageError(concat("the training in ", run_.output,
                            " was started with other text than now stands in ",
                            files.empty() ? "no validation files" : files.text(),
                            "; put the text back, choose another --output, or start over with --fresh"));
  }

  void prepare_model() {
    if (continues()) {
      model_ = read_model(latest_, Weights::copied);
      return;
    }
    model_.settings = settings_.network;
    model_.parameters = std::make_unique<Parameters>();
    model_.network = make_network(model_.settings, *model_.parameters);
    // What --freeze cannot mean is found before the directory changes.
    without_frozen(weight_ranges(*model_.parameters), settings_.loop.optimizer.freeze);
    Random random = random_for(settings_.loop.training.seed, RandomPurpose::weights);
    model_.parameters->initialise(random);
  }

  TrainingEnd train(TrainingDirectory& directory) {
    WorkerThreads workers(run_.threads);
    std::shared_ptr<WeightCopies> copies;
    if (settings_.loop.training.precision == Precision::bf16) {
      copies = std::make_shared<WeightCopies>(model_.parameters->values());
    }
    std::vector<std::unique_ptr<Learner>> learners;
    for (int shard = 0; shard < settings_.loop.batches.gradient_shards; ++shard) {
      learners.push_back(std::make_unique<NetworkLearner>(model_.settings, *model_.parameters, copies,
                                                          settings_.loop.training.label_smoothing,
                                                          settings_.loop.optimizer.freeze));
    }
    std::function<ValidationFigures()> validate;
    if (!settings_.valid_text.empty()) validate = [&] { return this->validate(workers); };
    WholeCorpus windows(corpus_);
    BatchStream batches(windows, settings_.loop.batches, settings_.loop.training.seed);
    Training training(settings_.loop, {.batches = batches,
                                       .weights = model_.parameters->values(),
                                       .ranges = weight_ranges(*model_.parameters),
                                       .learners = std::move(learners),
                                       .validate = validate,
                                       .write_model = [this](const std::string& folder) { write(folder); },
                                       .data = data_,
                                       .stop_requested = run_.stop_requested,
                                       .directory = directory,
                                       .listener = listener_,
                                       .workers = workers});
    if (continues()) training.restore(latest_);
    tell_start(training.state());
    const TrainingEnd end = training.run();
    tell_end(end, training.state());
    return end;
  }

  ValidationFigures validate(WorkerThreads& workers) const {
    ValidationFigures figures;
    figures.cross_entropy =
        cross_entropy(*model_.network, valid_corpus_, settings_.loop.batches.batch_tokens, workers);
    if (settings_.validation.bleu) {
      TranslationSettings translation;
      translation.search.beam_size = settings_.validation.beam_size;
      limit_lengths(model_.settings, translation);
      const Translator translator(*model_.network, *tokenizers_.source, *tokenizers_.target,
                                  settings_.tokenizers.normalization, translation, run_.threads);
      const auto limit = static_cast<std::size_t>(settings_.validation.lines);
      const std::size_t count = limit == 0 ? valid_pairs_.size() : std::min(limit, valid_pairs_.size());
      figures.bleu =
          translation_bleu(translator, std::span(valid_pairs_).first(count), settings_.validation.tokenize);
    }
    return figures;
  }

  void write(const std::string& folder) const {
    TranslationTrainingSettings copy = settings_;
    const nlohmann::json text = write_text_files(folder, *tokenizers_.source, *tokenizers_.target,
                                                 settings_.tokenizers.normalization);
    write_model(folder, model_.settings, *model_.parameters,
                {{"text", text}, {"training", fields_to_json(all_fields_of(copy))}});
  }

  void tell_start(const TrainingState& state) const {
    listener_.note(concat(model_.parameters->count(), " parameters, ", tokenizers_.source->size(),
                          " source and ", tokenizers_.target->size(), " target pieces",
                          tokenizers_.shared() ? " (shared)" : "", "; computes in ",
                          settings_.loop.training.precision == Precision::bf16 ? "bf16" : "f32"));
    if (continues()) {
      listener_.note(concat("continues the training in ", run_.output, " after update ", state.update,
                            ", in epoch ", state.position.epoch + 1));
    }
  }

  void tell_end(TrainingEnd end, const TrainingState& state) const {
    if (end == TrainingEnd::stopped) {
      listener_.note(concat("stopped by a signal after update ", state.update, " and saved in ", run_.output,
                            "; the same command continues"));
      return;
    }
    const std::string limit = end == TrainingEnd::max_updates  ? "--max-updates"
                              : end == TrainingEnd::max_epochs ? "--max-epochs"
                              : end == TrainingEnd::max_tokens ? "--max-tokens"
                                                               : "--max-minutes";
    const std::string reason =
        end == TrainingEnd::early_stopping
            ? concat("no new best in ", state.without_improvement, " validations (--early-stopping)")
            : limit + " is reached";
    listener_.note(concat("finished after update ", state.update, ": ", reason, "; the best model is ",
                          run_.output, "/best, from update ", state.best_update));
  }

  TranslationTrainingSettings settings_;
  const TrainingRun& run_;
  Listener& listener_;
  std::string latest_;  // the checkpoint to continue from; empty: from the beginning
  std::vector<SentencePair> valid_pairs_;
  Tokenizers tokenizers_;
  Corpus corpus_, valid_corpus_;
  nlohmann::json data_;
  Model model_;
};

}  // namespace

TrainingEnd train_translation(const TranslationTrainingSettings& settings, const TrainingRun& run,
                              Listener& listener) {
  return TranslationTraining(settings, run, listener).run();
}

}  // namespace gloss
