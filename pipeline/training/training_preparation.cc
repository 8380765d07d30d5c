// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_preparation.h"

#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "base/nameless_file.h"
#include "model/model_directory.h"
#include "pipeline/text_models/precision.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/checkpoint.h"
#include "pipeline/training/checkpoint_error.h"
#include "pipeline/training/same_settings.h"

namespace gloss {

TrainingPreparation::TrainingPreparation(TrainingTask& task, const TrainingRun& run, Listener& listener,
                                         Ranks& ranks)
    : task_(task), settings_(task.settings()), run_(run), listener_(listener), ranks_(ranks) {
  settings_.ranks = ranks.size();
}

std::optional<TrainingEnd> TrainingPreparation::open() {
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
    expect_readable(validation_of(settings_.text, settings_.valid_text));
    if (ranks_.first()) run_.explain ? note_earlier_training() : open_directory();
  });
  latest_ = from_first(ranks_, latest_);
  std::optional<TrainingEnd> end;
  together(ranks_, [&] {
    if (continues()) {
      take_plan();
    } else {
      load_given_tokenizers();
      open_corpora();
      begin_plan();
    }
    prepare_tokenizers();
    if (continues()) from_checkpoint([&] { task_.take_checkpoint(latest_); });
    if (!continues()) task_.take_training_text(corpora_->texts());
    prepare_network_settings();
    if (!continues()) return;
    open_corpora();
    from_checkpoint([&] { corpora_->expect_same(*read_training_record(latest_).data, latest_); });
    end = already_ended();
  });
  return end;
}

void TrainingPreparation::open_directory() {
  directory_.emplace(run_.output);
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

/// What --explain explains is a new training.
void TrainingPreparation::note_earlier_training() {
  if (run_.output.empty() || run_.fresh) return;
  const std::vector<Checkpoint> checkpoints = list_checkpoints(run_.output);
  if (checkpoints.empty()) return;
  listener_.note(concat("without --explain, this command would continue the training in ", run_.output,
                        ", which has ", counted(checkpoints.back().update, "update"),
                        ", with its own plan; a new training (--fresh) would do the following"));
}

void TrainingPreparation::open_corpora() {
  corpora_.emplace(settings_.text, settings_.valid_text, run_.explain ? temporary_folder() : run_.output,
                   listener_);
}

/// Before the text is read, so that a missing or damaged file is reported at once.
void TrainingPreparation::load_given_tokenizers() {
  const TokenizerSettings& wanted = settings_.tokenizers;
  if (task_.has_text() && !start_ && !wanted.learned()) tokenizers_ = load_tokenizers(wanted);
}

void TrainingPreparation::prepare_tokenizers() {
  if (!task_.has_text()) return;
  const TokenizerSettings& wanted = settings_.tokenizers;
  if (start_ && !wanted.learned()) start_->expect_tokenizers(load_tokenizers(wanted));
  if (!continues()) {
    if (start_) tokenizers_ = start_->tokenizers();
    if (!start_ && wanted.learned())
      tokenizers_ = learn_tokenizers(wanted, corpora_->texts(), settings_.loop.training.seed, listener_);
    tokenizers_ = with_symbols(tokenizers_, settings_.symbols);
    return;
  }
  tokenizers_ = from_checkpoint([&] { return stored_tokenizers(latest_); });
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

void TrainingPreparation::take_plan() {
  if (!settings_.planning) return;
  from_checkpoint([&] {
    take_stored_plan(*settings_.planning,
                     read_model_config(latest_).value("training", nlohmann::json::object()),
                     settings_.network, settings_.tokenizers, settings_.loop);
  });
}

void TrainingPreparation::begin_plan() {
  if (!settings_.planning) return;
  corpora_->hold_out(settings_.hold_out, task_.learns_passages());
  TextSample figures = sample_of(corpora_->texts());
  const IndexedPairs* const validation = corpora_->validation();
  warn_of_mistakes(figures, start_.has_value(), corpora_->texts(),
                   settings_.valid_text.empty() ? nullptr : validation, listener_);
  plan_.emplace(*settings_.planning, settings_.network, settings_.tokenizers, settings_.loop,
                std::move(figures), task_.learning(), validation != nullptr);
  plan_->choose_vocabulary();
}

void TrainingPreparation::fit_network() {
  task_.fit_network(tokenizers_);
  gloss::check(settings_.network);
}

void TrainingPreparation::prepare_network_settings() {
  if (plan_) plan_->choose_network();
  fit_network();
  if (task_.has_text()) check_dropout(settings_.tokenizers, tokenizers_);
  if (continues()) {
    const nlohmann::json config = from_checkpoint([&] { return read_model_config(latest_); });
    expect_same_settings(settings_, task_.all_fields(), config.value("training", nlohmann::json()),
                         run_.output);
  }
}

std::optional<TrainingEnd> TrainingPreparation::already_ended() {
  const TrainingState state = from_checkpoint([&] { return read_training_record(latest_).state; });
  if (state.temporary) return std::nullopt;  // the last model is not yet validated
  const std::optional<TrainingEnd> end = training_end(settings_.loop.training, state);
  if (end && directory_) {
    // The previous run may have been interrupted after its last checkpoint.
    tidy_checkpoints(*directory_, state, settings_.loop.training.keep_checkpoints, listener_);
    const std::string remedy =
        end == TrainingEnd::early_stopping ? "raise --early-stopping to continue, or start over with --fresh"
        : needs_end(settings_.loop.schedule)
            ? concat("its learning rate has fallen to 0, so it cannot go on; train its model further with ",
                     "'gloss finetune --model ", run_.output, "', or start over with --fresh")
            : "raise the limit that ended it (--max-updates, --max-epochs, --max-tokens, --max-minutes) to "
              "continue, or start over with --fresh";
    const std::int64_t last = settings_.loop.training.max_updates;
    const bool beyond = last > 0 && state.update > last;
    listener_.note(concat("the training in ", run_.output, " is already finished: ", state.update, " updates",
                          beyond ? concat(", beyond --max-updates ", last) : "", "; ", remedy));
  }
  return end;
}

void TrainingPreparation::read_text() {
  encoder_ = task_.encoder(tokenizers_);
  if (corpora_->validation() != nullptr) {
    task_.take_validation(*corpora_->validation(), *encoder_, run_.threads, listener_);
  }
  corpora_->survey(*encoder_, run_.threads);
  if (plan_) plan_->choose_rest(corpora_->tokens());
}

void TrainingPreparation::expect_same_everywhere() {
  const auto expect_same = [&](const std::string& own, const char* what) {
    const int other = different_rank(ranks_, own);
    if (other < 0) return;
    throw UsageError(concat("rank ", other, " has ", what,
                            " than rank 0; start all ranks with one mpirun, with access to the same files"));
  };
  expect_same(json_line(fields_to_json(task_.all_fields())), "other settings");
  if (task_.has_text())
    expect_same(tokenizers_.source->bytes() + tokenizers_.target->bytes(), "another tokenizer");
  expect_same(json_line(*corpora_->record()), "other text");
}

}  // namespace gloss
