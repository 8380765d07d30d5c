// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/model_training.h"

#include <optional>
#include <set>

#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "model/model_directory.h"
#include "pipeline/data/random_purposes.h"
#include "pipeline/data/text_windows.h"
#include "pipeline/data/tokenizer_files.h"
#include "pipeline/inference/text_model.h"
#include "pipeline/training/network_learner.h"
#include "pipeline/training/same_settings.h"
#include "pipeline/training/starting_models.h"
#include "pipeline/training/training_corpora.h"

namespace gloss {
namespace {

/// A training from its setup to its end.
class ModelTraining {
 public:
  ModelTraining(TrainingTask& task, const TrainingRun& run, Listener& listener, Ranks& ranks)
      : task_(task), settings_(task.settings()), run_(run), listener_(listener), ranks_(ranks) {
    settings_.ranks = ranks.size();
  }
  ~ModelTraining() {
    // Afterwards, the paths may belong to another training.
    run_.change_new_paths([this] {
      directory_.reset();
      return std::vector<std::string>();
    });
  }
  ModelTraining(const ModelTraining&) = delete;
  ModelTraining& operator=(const ModelTraining&) = delete;

  TrainingEnd run() {
    together(ranks_, [&] {
      task_.check();
      Precision& precision = settings_.loop.training.precision;
      precision = resolved(precision);
      if (settings_.start.any()) {
        expect_apart(run_.output, settings_.start);
        expects(settings_.starting_models != nullptr, "the starting models are not open");
        start_.emplace(settings_.starting_models->with_symbols(settings_.symbols));
      }
      for (const WeightedFiles& corpus : corpora_of(settings_.text)) expect_readable(corpus.files);
      expect_readable(settings_.valid_text);
      if (ranks_.first()) open_directory();
    });
    latest_ = from_first(ranks_, latest_);
    std::optional<TrainingEnd> end;
    together(ranks_, [&] {
      if (!continues()) open_corpora();
      prepare_tokenizers();
      if (continues()) task_.take_checkpoint(latest_);
      if (!continues()) task_.take_training_text(corpora_->texts());
      prepare_network_settings();
      if (!continues()) return;
      open_corpora();
      corpora_->expect_same(*read_training_record(latest_).data, latest_);
      end = already_ended();
    });
    if (end) return *end;
    together(ranks_, [&] {
      prepare_text();
      prepare_model();
    });
    expect_same_everywhere();
    return train();
  }

 private:
  void open_directory() {
    run_.change_new_paths([this] {
      directory_.emplace(run_.output);
      return directory_->new_paths();
    });
    const std::vector<Checkpoint> checkpoints = directory_->checkpoints();
    if (run_.fresh) directory_->replace_training();
    if (checkpoints.empty()) return;
    if (run_.fresh) {
      listener_.note(concat("starts over: removes the training in ", run_.output, ", which has ",
                            counted(checkpoints.back().update, "update"), ", when the new one begins"));
    } else {
      latest_ = checkpoints.back().path;
    }
  }
  /// All ranks need the same settings and text, but files of one name may differ between machines.
  void expect_same_everywhere() {
    const auto expect_same = [&](const std::string& own, const char* what) {
      const int other = different_rank(ranks_, own);
      if (other < 0) return;
      throw UsageError(
          concat("rank ", other, " has ", what,
                 " than rank 0; start all ranks with one mpirun, with access to the same files"));
    };
    expect_same(json_line(fields_to_json(task_.all_fields())), "other settings");
    expect_same(tokenizers_.source->bytes() + tokenizers_.target->bytes(), "another tokenizer");
    expect_same(json_line(*corpora_->record()), "other text");
  }
  void open_corpora() { corpora_.emplace(settings_.text, settings_.valid_text, run_.output, listener_); }
  bool continues() const { return !latest_.empty(); }

  void prepare_tokenizers() {
    const TokenizerSettings& wanted = settings_.tokenizers;
    if (start_ && !wanted.learned()) start_->expect_tokenizers(load_tokenizers(wanted));
    if (!continues()) {
      tokenizers_ = start_ ? start_->tokenizers()
                    : wanted.learned()
                        ? learn_tokenizers(wanted, corpora_->texts(), settings_.loop.training.seed, listener_)
                        : load_tokenizers(wanted);
      tokenizers_ = with_symbols(tokenizers_, settings_.symbols);
      return;
    }
    tokenizers_ = stored_tokenizers(latest_);
    if (!start_ && wanted.learned()) return;
    const Tokenizers given =
        start_ ? start_->tokenizers() : with_symbols(load_tokenizers(wanted), settings_.symbols);
    if (given.source->bytes() != tokenizers_.source->bytes() ||
        given.target->bytes() != tokenizers_.target->bytes()) {
      throw UsageError(concat("the training in ", run_.output, " was started with another tokenizer than ",
                              start_ ? "that of " + start_->text()
                              : wanted.tokenizer.empty()
                                  ? wanted.source_tokenizer + ", " + wanted.target_tokenizer
                                  : wanted.tokenizer,
                              "; give the same one, choose another --output, or start over with --fresh"));
    }
  }

  /// Chooses the preset if the user has not.
  void choose_preset() {
    const NetworkOfPreset& network_of = settings_.network_of_preset;
    if (!network_of) return;
    if (continues()) {
      settings_.network = network_of(
          stored_preset(network_of, read_model_config(latest_).value("training", nlohmann::json::object())));
      return;
    }
    const std::int64_t lines = corpora_->lines();
    settings_.network = network_of(preset_for(lines));
    const std::string choice = preset_text(network_of, lines);
    if (!choice.empty()) listener_.note(choice);
  }

  void prepare_network_settings() {
    choose_preset();
    task_.fit_network(tokenizers_);
    gloss::check(settings_.network);
    check_dropout(settings_.tokenizers, tokenizers_);
    if (continues()) {
      const nlohmann::json config = read_model_config(latest_);
      expect_same_settings(settings_, task_.all_fields(), config.value("training", nlohmann::json()),
                           run_.output);
    }
  }

  std::optional<TrainingEnd> already_ended() {
    const TrainingState state = read_training_record(latest_).state;
    if (state.temporary) return std::nullopt;  // the last model is not yet validated
    const std::optional<TrainingEnd> end = training_end(settings_.loop.training, state);
    if (end && directory_) {
      // The previous run may have been interrupted after its last checkpoint.
      tidy_checkpoints(*directory_, state, settings_.loop.training.keep_checkpoints, listener_);
      const std::string remedy =
          end == TrainingEnd::early_stopping
              ? "raise --early-stopping to continue, or start over with --fresh"
          : needs_end(settings_.loop.schedule)
              ? concat(
                    "its learning rate has fallen to 0, so it cannot go on; train its model further with "
                    "'gloss "
                    "finetune --from ",
                    run_.output, "', or start over with --fresh")
              : "raise the limit that ended it (--max-updates, --max-epochs, --max-tokens, --max-minutes) to "
                "continue, or start over with --fresh";
      listener_.note(concat("the training in ", run_.output, " is already finished: ", state.update,
                            " updates; ", remedy));
    }
    return end;
  }

  void prepare_text() {
    encoder_ = task_.encoder(tokenizers_);
    if (corpora_->validation() != nullptr) {
      task_.take_validation(*corpora_->validation(), *encoder_, run_.threads, listener_);
    }
    corpora_->survey(*encoder_, run_.threads);
  }

  void prepare_model() {
    if (continues()) {
      model_ = read_model(latest_, Weights::copied);
      if (fields_to_json(all_fields_of(model_.settings)) !=
          fields_to_json(all_fields_of(settings_.network))) {
        throw InputError(concat(latest_,
                                "/config.json: the network differs from the training settings in the same "
                                "file; continue from an unmodified checkpoint"));
      }
      return;
    }
    model_.settings = settings_.network;
    model_.parameters = std::make_unique<Parameters>();
    model_.network = make_network(model_.settings, *model_.parameters);
    // Checks --freeze and --learning-rates before the directory changes.
    const OptimizerSettings& optimizer = settings_.loop.optimizer;
    learning_rate_factors(without_frozen(weight_ranges(*model_.parameters), optimizer.freeze),
                          optimizer.learning_rates);
    Random random = random_for(settings_.loop.training.seed, RandomPurpose::weights);
    model_.parameters->initialise(random);
    if (start_) take_weights();
  }

  void take_weights() {
    const std::vector<std::string> fresh = start_->give_weights(*model_.parameters);
    std::set<std::string> parts;  // prefixes of the names of parameters that keep their random values
    for (const std::string& name : fresh) parts.insert(name.substr(0, name.rfind('.')));
    const std::size_t all = model_.parameters->entries().size();
    listener_.note(concat(
        "starts from ", start_->text(), ": ", all - fresh.size(), " of ", all, " parameters",
        parts.empty() ? ""
                      : concat("; random initialisation of ", join({parts.begin(), parts.end()}, ", "))));
  }

  TrainingEnd train() {
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
    if (corpora_->validation() != nullptr) {
      validate = [&] {
        return task_.validate({*model_.network, tokenizers_, run_.threads, workers, ranks_});
      };
    }
    TextWindows windows({corpora_->texts().begin(), corpora_->texts().end()}, encoder_,
                        {.lines = settings_.loop.batches.shuffle_window,
                         .seed = settings_.loop.training.seed,
                         .threads = run_.threads});
    BatchStream batches(windows, of_all_ranks(settings_.loop.batches, ranks_.size()),
                        settings_.loop.training.seed);
    Training training(settings_.loop, {.batches = batches,
                                       .weights = model_.parameters->values(),
                                       .ranges = weight_ranges(*model_.parameters),
                                       .learners = std::move(learners),
                                       .validate = validate,
                                       .write_model = [this](const std::string& folder) { write(folder); },
                                       .data = corpora_->record(),
                                       .stop_requested = run_.stop_requested,
                                       .directory = directory_ ? &*directory_ : nullptr,
                                       .listener = listener_,
                                       .workers = workers,
                                       .ranks = ranks_});
    if (continues()) training.restore(latest_);
    report_start(training.state());
    if (run_.before_saving) run_.before_saving();
    const TrainingEnd end = training.run();
    report_waiting(batches);
    report_end(end, training.state());
    return end;
  }

  void write(const std::string& folder) const {
    write_model(folder, model_.settings, *model_.parameters,
                {{"text", text_settings(
                              {settings_.tokenizers.normalization, settings_.mask_token, settings_.labels})},
                 {"training", fields_to_json(task_.all_fields())}},
                tokenizer_files(*tokenizers_.source, *tokenizers_.target));
  }

  void report_start(const TrainingState& state) const {
    if (ranks_.size() > 1) listener_.note(concat("training on ", ranks_.size(), " ranks"));
    const std::string pieces =
        form_of(model_.settings) != Form::encoder_decoder
            ? concat(tokenizers_.target->size(), " pieces")
            : concat(tokenizers_.source->size(), " source and ", tokenizers_.target->size(), " target pieces",
                     tokenizers_.shared() ? " (shared)" : "");
    listener_.note(concat(model_.parameters->count(), " parameters, ", pieces, "; computes in ",
                          settings_.loop.training.precision == Precision::bf16 ? "bf16" : "f32"));
    const std::int64_t warmup = settings_.loop.schedule.warmup_updates,
                       last = settings_.loop.training.max_updates;
    if (last > 0 && last < warmup) {
      listener_.note(concat("the learning rate still rises when the training ends: --max-updates ", last,
                            " is less than --warmup-updates ", warmup));
    }
    if (continues()) {
      listener_.note(concat("continues the training in ", run_.output, " after update ", state.update,
                            ", in epoch ", state.position.epoch + 1));
    }
  }

  void report_waiting(const BatchStream& batches) const {
    constexpr double kShown = 0.05;  // less is 0.0 in the note
    if (batches.waiting_seconds() < kShown) return;
    listener_.note(concat("waited ", fixed_text(batches.waiting_seconds(), 1), " seconds for text, ",
                          fixed_text(batches.first_waiting_seconds(), 1), " seconds for the first batch"));
  }

  void report_end(TrainingEnd end, const TrainingState& state) const {
    if (end == TrainingEnd::stopped) {
      listener_.note(concat(
          "stopped by a signal after update ", state.update, " and saved in ", run_.output,
          run_.fresh ? "; the same command without --fresh continues" : "; the same command continues"));
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
    const std::string model =
        corpora_->validation() != nullptr
            ? concat("best model is ", run_.output, "/best, from update ", state.best_update)
            : concat("model is ", run_.output, "/best");
    listener_.note(concat("finished after update ", state.update, ": ", reason, "; the ", model));
  }

  TrainingTask& task_;
  ModelTrainingSettings& settings_;
  const TrainingRun& run_;
  Listener& listener_;
  Ranks& ranks_;
  std::optional<StartingModels> start_;         // null: random initialisation
  std::optional<TrainingDirectory> directory_;  // only on rank 0
  std::string latest_;                          // the checkpoint to continue from; empty: from the beginning
  std::optional<TrainingCorpora> corpora_;
  Tokenizers tokenizers_;
  std::shared_ptr<const ExampleEncoder> encoder_;
  Model model_;
};

}  // namespace

TrainingEnd train_model(TrainingTask& task, const TrainingRun& run, Listener& listener, Ranks& ranks) {
  return ModelTraining(task, run, listener, ranks).run();
}

}  // namespace gloss
