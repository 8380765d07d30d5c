// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/train_model.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/counted.h"
#include "base/duration.h"
#include "base/enumeration.h"
#include "base/error.h"
#include "base/json.h"
#include "model/model_directory.h"
#include "pipeline/examples/random_purposes.h"
#include "pipeline/examples/text_windows.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/training/checkpoint_error.h"
#include "pipeline/training/network_learner.h"
#include "pipeline/training/training_loop.h"
#include "pipeline/training/training_notes.h"
#include "pipeline/training/training_preparation.h"
#include "pipeline/training/update_speed.h"

namespace gloss {
namespace {

/// Lines of the window on which the time of an update is measured.
constexpr std::int64_t kMeasuredLines = 20'000;

/// A training from its preparation to its end.
class ModelTraining {
 public:
  ModelTraining(TrainingTask& task, const TrainingRun& run, Listener& listener, Ranks& ranks)
      : task_(task),
        settings_(task.settings()),
        run_(run),
        listener_(listener),
        ranks_(ranks),
        prepared_(task, run, listener, ranks),
        notes_(settings_, run, listener) {}

  TrainingEnd run() {
    try {
      return run_from_files();
    } catch (const CheckpointError& error) {
      throw InputError(error.what() + way_out_of_damage());
    }
  }

 private:
  /// What to do if the checkpoint to continue from is damaged. Whether it is cannot be said: it may be of a
  /// newer version, or have been changed on purpose.
  std::string way_out_of_damage() {
    if (prepared_.directory() == nullptr) return "";  // rank 0 says it
    const std::vector<Checkpoint> all = prepared_.directory()->checkpoints();
    if (all.size() < 2)
      return "; no other checkpoint is there: if this one is damaged, start over with --fresh";
    return concat("; if this checkpoint is damaged, move the directory ", prepared_.latest(),
                  " away to continue from the one before it, that of update ", all[all.size() - 2].update);
  }

  TrainingEnd run_from_files() {
    if (const std::optional<TrainingEnd> end = prepared_.open()) return *end;
    together(ranks_, [&] {
      prepared_.read_text();
      prepare_model();
    });
    if (!prepared_.continues()) plan();
    prepared_.expect_same_everywhere();
    if (run_.explain) return TrainingEnd::explained;
    return train();
  }

  void prepare_model() {
    if (prepared_.continues()) {
      model_ = from_checkpoint([&] { return read_model(prepared_.latest(), Weights::copied); });
      if (fields_to_json(all_fields_of(model_.settings)) !=
          fields_to_json(all_fields_of(settings_.network))) {
        throw CheckpointError(
            concat(prepared_.latest(),
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
    if (prepared_.start() != nullptr) take_weights();
  }

  /// Completes the plan of a new training and says what it is: with a time limit, if the learning rate needs
  /// an end, the number of updates follows from the measured time of one.
  void plan() {
    const TrainingSettings& training = settings_.loop.training;
    const bool timed = needs_end(settings_.loop.schedule) && training.max_minutes > 0;
    reading_seconds_ = clock_.seconds();
    double seconds = timed || run_.explain ? measured_update() : 0;
    while (timed && !fit_time(seconds)) {
      together(ranks_, [&] {
        prepared_.fit_network();
        prepare_model();
      });
      seconds = measured_update();
    }
    if (LearningPlan* const plan = prepared_.plan(); plan != nullptr) {
      if (timed && prepared_.start() == nullptr) {
        together(ranks_, [&] { prepare_model(); });  // with the plan's dropout
      }
      for (const std::string& line : plan->text()) listener_.note(line);
    }
    if (!run_.explain) return;
    std::string duration;
    if (!timed && training.max_updates > 0) {
      duration = concat(": ", duration_text(seconds * static_cast<double>(training.max_updates)), " for ",
                        counted(training.max_updates, "update"), ", and the validations");
    }
    listener_.note(
        concat("an update of these batches takes ", fixed_text(seconds, 3), " s here",
               timed ? concat(" before the plan fits it into ", training.max_minutes, " minutes") : duration,
               "; nothing was written, as --explain was given"));
  }

  /// Returns false if the plan has chosen a smaller network, whose updates must be measured first.
  bool fit_time(double update_seconds) {
    constexpr double kReserve = 0.02, kNeeded = 20;
    const double limit = settings_.loop.training.max_minutes * 60;
    double left = ranks_.first() ? limit * (1 - kReserve) - clock_.seconds() : 0;
    ranks_.sum({&left, 1});
    planned_updates_ = static_cast<std::int64_t>(std::max(0.0, left) / update_seconds);
    if (LearningPlan* const plan = prepared_.plan(); plan != nullptr) {
      if (!plan->fit_time(std::max(0.0, left), update_seconds)) return false;
      planned_updates_ = plan->updates();
    }
    together(ranks_, [&] {
      const std::int64_t wanted = settings_.loop.training.max_updates;
      if (static_cast<double>(planned_updates_) >= kNeeded || planned_updates_ == wanted) return;
      throw UsageError(concat(
          "--max-minutes ", settings_.loop.training.max_minutes, " is too short: reading the text took ",
          fixed_text(reading_seconds_, 1), " s, and an update takes ", fixed_text(update_seconds, 3),
          " s, so that fewer than ", kNeeded, " updates would fit; give more minutes, or --max-updates N"));
    });
    return true;
  }

  double measured_update() {
    constexpr double kMost = 4, kShare = 0.03;
    const double limit = settings_.loop.training.max_minutes * 60;
    const double most = limit > 0 ? std::min(kMost, kShare * limit) : kMost;
    const std::vector<float> weights(model_.parameters->values().begin(), model_.parameters->values().end());
    WorkerThreads workers(run_.threads);
    TextWindows windows = windows_of(std::min<std::int64_t>(window_lines(), kMeasuredLines));
    BatchStream batches(windows, of_all_ranks(settings_.loop.batches, ranks_.size()),
                        settings_.loop.training.seed);
    const std::shared_ptr<WorkingWeights> working =
        working_weights(*model_.parameters, settings_.loop.training);
    const double seconds =
        measure_update(most, settings_.loop, batches, model_.parameters->values(),
                       weight_ranges(*model_.parameters), learners(working), workers, ranks_);
    std::ranges::copy(weights, model_.parameters->values().begin());
    return seconds;
  }

  TextWindows windows_of(std::int64_t lines) {
    return TextWindows({prepared_.corpora().texts().begin(), prepared_.corpora().texts().end()},
                       prepared_.encoder(),
                       {.lines = lines, .seed = settings_.loop.training.seed, .threads = run_.threads});
  }

  std::vector<std::unique_ptr<Learner>> learners(const std::shared_ptr<WorkingWeights>& working) {
    std::vector<std::unique_ptr<Learner>> all;
    for (int shard = 0; shard < settings_.loop.batches.gradient_shards; ++shard) {
      all.push_back(std::make_unique<NetworkLearner>(model_.settings, *model_.parameters, working,
                                                     task_.goal(), settings_.loop.optimizer.freeze));
    }
    return all;
  }

  void take_weights() {
    const std::vector<std::string> fresh = prepared_.start()->give_weights(*model_.parameters);
    std::set<std::string> parts;  // prefixes of the names of parameters that keep their random values
    for (const std::string& name : fresh) parts.insert(name.substr(0, name.rfind('.')));
    const std::size_t all = model_.parameters->entries().size();
    if (const std::vector<std::string> rounded = prepared_.start()->rounded(); !rounded.empty()) {
      listener_.note(
          concat(enumeration(rounded), rounded.size() == 1 ? " is" : " are",
                 " stored in bf16, int8 or int4: training starts from rounded weights; start from the "
                 "model as it was trained if you have it"));
    }
    listener_.note(concat(
        "starts from ", prepared_.start()->text(), ": ", all - fresh.size(), " of ", all, " parameters",
        parts.empty() ? ""
                      : concat("; random initialisation of ", join({parts.begin(), parts.end()}, ", "))));
  }

  TrainingEnd train() {
    notes_.threads(prepared_.continues());
    WorkerThreads workers(run_.threads);
    const std::shared_ptr<WorkingWeights> working =
        working_weights(*model_.parameters, settings_.loop.training);
    const Model rounded = rounded_model(working.get());
    std::function<ValidationFigures()> validate;
    if (prepared_.corpora().validation() != nullptr) {
      validate = [&] {
        if (rounded.network != nullptr) working->refresh(workers);
        const Network& network = rounded.network != nullptr ? *rounded.network : *model_.network;
        return task_.validate({network, prepared_.tokenizers(), run_.threads, workers, ranks_});
      };
    }
    TextWindows windows = windows_of(window_lines());
    BatchStream batches(windows, of_all_ranks(settings_.loop.batches, ranks_.size()),
                        settings_.loop.training.seed);
    TrainingLoop training(settings_.loop,
                          {.batches = batches,
                           .weights = model_.parameters->values(),
                           .ranges = weight_ranges(*model_.parameters),
                           .learners = learners(working),
                           .validate = validate,
                           .validates_start = prepared_.start() != nullptr,
                           .write_model = [this](const std::string& folder) { write(folder); },
                           .data = prepared_.corpora().record(),
                           .stop_requested = run_.stop_requested,
                           .directory = prepared_.directory(),
                           .listener = listener_,
                           .workers = workers,
                           .ranks = ranks_,
                           .clock = clock_});
    if (prepared_.continues()) from_checkpoint([&] { training.restore(prepared_.latest()); });
    if (!prepared_.continues()) training.plan(planned_updates_);
    notes_.start(model_, prepared_.tokenizers(), task_.has_text(), ranks_.size());
    if (prepared_.continues()) notes_.continuation(training.state());
    if (run_.before_saving) run_.before_saving();
    const TrainingEnd end = training.run();
    notes_.waiting(batches);
    notes_.end(end, training.state(), prepared_.corpora().validation() != nullptr, task_.use(run_.output));
    return end;
  }

  /// A network with the rounded weights for validation; empty if training does not round them.
  Model rounded_model(WorkingWeights* working) const {
    Model rounded;
    if (settings_.loop.training.quantization_aware == Rounding::none) return rounded;
    rounded.settings = model_.settings;
    rounded.parameters = std::make_unique<Parameters>();
    rounded.network = make_network(rounded.settings, *rounded.parameters);
    working->give_rounded_to(*rounded.parameters);
    return rounded;
  }

  /// Of items that are not text, fewer lines where they would take too much memory.
  std::int64_t window_lines() const {
    const std::int64_t wanted = settings_.loop.batches.shuffle_window;
    if (model_.settings.source.is_text()) return wanted;
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;
    return std::clamp<std::int64_t>(kMostBytes / item_bytes(model_.settings.source), 1, wanted);
  }

  void write(const std::string& folder) const {
    TextFormat format;
    if (settings_.starting_models) format = settings_.starting_models->format();
    format.normalization = settings_.tokenizers.normalization;
    format.mask_token = settings_.mask_token;
    format.labels = settings_.labels;
    if (form_of(settings_.network) != Form::encoder_decoder) format.target_order = TargetOrder::left_to_right;
    task_.complete(format);
    nlohmann::json others{{"text", text_settings(format)}, {"training", fields_to_json(task_.all_fields())}};
    if (prepared_.corpora().lengths().known()) others["lengths"] = lengths_json(learned_lengths());
    write_model(folder, model_.settings, *model_.parameters, others,
                task_.has_text()
                    ? tokenizer_files(*prepared_.tokenizers().source, *prepared_.tokenizers().target)
                    : no_tokenizer_files());
  }

  LearnedLengths learned_lengths() const {
    LearnedLengths lengths = prepared_.corpora().lengths();
    if (settings_.starting_models) {
      lengths.before = settings_.starting_models->usual_length(form_of(model_.settings));
    }
    return lengths;
  }

  TrainingTask& task_;
  ModelTrainingSettings& settings_;
  const TrainingRun& run_;
  Listener& listener_;
  Ranks& ranks_;
  TrainingClock clock_;
  TrainingPreparation prepared_;
  TrainingNotes notes_;
  Model model_;
  std::int64_t planned_updates_ = 0;
  double reading_seconds_ = 0;  // until the plan
};

}  // namespace

TrainingEnd train_model(TrainingTask& task, const TrainingRun& run, Listener& listener, Ranks& ranks) {
  return ModelTraining(task, run, listener, ranks).run();
}

}  // namespace gloss
