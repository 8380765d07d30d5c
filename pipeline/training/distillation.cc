// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/distillation.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "model/model_directory.h"
#include "model/model_paths.h"
#include "model/tensor/ops_recurrent.h"
#include "pipeline/examples/tokenizer_files.h"
#include "pipeline/text_models/precision.h"

namespace gloss {
namespace {

constexpr std::int64_t kScoredRows = 64;  // rows whose scores are in memory at once

/// The scores of some rows by one model.
struct BlockScores {
  Tensor scores;
  TopScores top;

  double probability(std::int64_t row, std::int32_t token) const {
    return std::exp(static_cast<double>(scores.data()[row * scores.columns() + token]) - top.log_sum(row));
  }
};

BlockScores scores_of(const TargetPredictor& model, const Tensor& states, std::int64_t first, int top) {
  std::vector<int> rows(index(std::min(kScoredRows, states.rows() - first)));
  std::iota(rows.begin(), rows.end(), static_cast<int>(first));
  BlockScores block{model.target_scores(take_rows(states, rows)), {}};
  const auto count = static_cast<std::int64_t>(rows.size()), vocabulary = block.scores.columns();
  block.top.begin(count, vocabulary, {.best = top, .watched = {}});
  for (std::int64_t row = 0; row < count; ++row) {
    block.top.add_row(row, block.scores.data() + row * vocabulary);
  }
  return block;
}

/// Adds the best tokens of a row and their shares to the targets.
void add_row(const std::vector<BlockScores>& models, std::span<const double> weights, std::int64_t row,
             SoftTargets& to) {
  std::vector<std::int32_t> tokens;
  for (const BlockScores& model : models) {
    for (const ScoredToken& best : model.top.best(row)) tokens.push_back(best.token);
  }
  std::sort(tokens.begin(), tokens.end());
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  std::vector<std::pair<double, std::int32_t>> probable;
  for (const std::int32_t token : tokens) {
    double probability = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
      probability += weights[m] * models[m].probability(row, token);
    }
    probable.emplace_back(-probability, token);
  }
  std::sort(probable.begin(), probable.end());
  probable.resize(index(to.per_row));
  double sum = 0;
  for (const auto& [negative, token] : probable) sum -= negative;
  for (const auto& [negative, token] : probable) {
    to.tokens.push_back(token);
    to.shares.push_back(static_cast<float>(-negative / sum));
  }
}

/// What distinguishes two vocabularies; empty: nothing.
std::string difference(const Subwords& of_teacher, const Subwords& of_student) {
  if (of_teacher.size() != of_student.size()) {
    return concat("it has ", of_teacher.size(), " pieces, the student ", of_student.size());
  }
  for (int id = 0; id < of_student.size(); ++id) {
    if (of_teacher.piece(id) == of_student.piece(id)) continue;
    return concat("piece ", id, " is ", shown(of_teacher.piece(id)), ", in the student ",
                  shown(of_student.piece(id)));
  }
  return "";
}

/// The options for the tokenizers of a teacher.
std::string tokenizers_of(const std::string& teacher) {
  const std::string directory = model_directory_of(teacher);
  if (directory.empty()) return "the tokenizer of the teacher, which 'gloss import' writes";
  const TokenizerPaths paths = tokenizer_paths(directory);
  if (paths.shared()) return "--tokenizer " + paths.source;
  return concat("--source-tokenizer ", paths.source, " --target-tokenizer ", paths.target);
}

}  // namespace

Fields fields_of(DistillationSettings& settings) {
  Fields fields{
      {"teacher",
       &settings.teacher,
       "trained model whose probabilities the training follows as well, at each target token; several are an "
       "ensemble",
       {},
       0,
       "DIR",
       kModelDirectory},
      {"distillation_weight",
       &settings.weight,
       "weight of the teacher in the loss; the rest is that of the text",
       {0.001, 1}},
      {"distillation_top",
       &settings.top,
       "number of the teacher's most probable tokens that a target token is compared with",
       {1, 1000}},
      {"teacher_precision", translation_precision_choice(settings.precision),
       "numeric precision of the teacher; auto: that of its weights"}};
  add_traits(fields, kFreeOnResume, settings.teacher);
  return fields;
}

Fields all_fields_of(DistillationSettings& settings) {
  Fields fields = fields_of(settings);
  fields.push_back({"teacher_sums", &settings.sums, "checksums of the teachers"});
  add_traits(fields, kFreeOnResume, settings.sums);  // expect_same_teachers
  return fields;
}

void refuse_unused(const DistillationSettings& settings, const Given& given) {
  if (!settings.teacher.empty()) return;
  DistillationSettings copy = settings;
  const Fields here = fields_of(copy);
  const void* const members[] = {&settings.teacher, &settings.weight, &settings.top, &settings.precision};
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (!given(members[i])) continue;
    throw UsageError(concat("--", option_name(here[i].name),
                            " has no effect without --teacher DIR; give a teacher or leave it out"));
  }
}

Teachers::Teachers(const DistillationSettings& settings, int threads, Listener& listener)
    : names_(settings.teacher), top_(settings.top) {
  const LanguageChoice none;
  models_ = read_text_models({settings.teacher, Form::encoder_decoder, {}, &none}, listener);
  for (std::size_t m = 0; m < names_.size(); ++m) {
    const TextModel& model = models_.members[m];
    if (!model.format.languages.ids.empty()) {
      throw UsageError(concat("--teacher ", name(m),
                              " translates between several languages; expected a model of one pair"));
    }
    if (model.model.network->target_predictor() == nullptr) {
      throw UsageError(concat("--teacher ", name(m), ": models of the architecture ",
                              shown(model.model.settings.architecture), " cannot teach"));
    }
  }
  pack(models_, settings.precision, threads, listener);
}

std::vector<std::string> Teachers::sums() const {
  std::vector<std::string> sums;
  for (const TextModel& model : models_.members) sums.push_back(model.model.sum);
  return sums;
}

void Teachers::expect_fit(const Tokenizers& of_student, int max_length, TargetOrder order) const {
  for (std::size_t m = 0; m < names_.size(); ++m) {
    const TextModel& model = models_.members[m];
    const auto expect_side = [&](const Subwords& teacher, const Subwords& student, const char* side) {
      const std::string reason = difference(teacher, student);
      if (reason.empty()) return;
      throw UsageError(concat("--teacher ", name(m), " has another ", side, " vocabulary than the student: ",
                              reason, "; train the student with ", tokenizers_of(name(m))));
    };
    if (model.format.target_order != order) {
      throw UsageError(concat("--teacher ", name(m), " predicts target tokens from ",
                              order == TargetOrder::left_to_right ? "right to left" : "left to right",
                              ", the student the other way; expected the same --target-order"));
    }
    expect_side(*model.target, *of_student.target, "target");
    expect_side(*model.source, *of_student.source, "source");
    const NetworkSettings& network = model.model.settings;
    if (network.target_vocabulary != of_student.target->size()) {
      throw UsageError(concat("--teacher ", name(m), " predicts ", network.target_vocabulary,
                              " tokens, but the target vocabulary has ", of_student.target->size()));
    }
    if (max_length + 1 > network.sizes.max_positions) {
      throw UsageError(concat("--teacher ", name(m), " reads at most ", network.sizes.max_positions - 1,
                              " tokens, but --max-length is ", max_length, "; choose a smaller length"));
    }
  }
}

SoftTargets Teachers::soft_targets(const Batch& batch) const {
  const WithoutGradients only_scores;
  std::vector<Tensor> states;
  for (const TextModel& model : models_.members) {
    states.push_back(model.model.network->target_predictor()->target_states(batch));
  }
  SoftTargets targets;
  targets.per_row = std::min(top_, models_.first().model.settings.target_vocabulary);
  const auto tokens = static_cast<std::int64_t>(batch.target.tokens.size());
  for (std::int64_t first = 0; first < tokens; first += kScoredRows) {
    std::vector<BlockScores> scores;
    for (std::size_t m = 0; m < states.size(); ++m) {
      const TargetPredictor& model = *models_.members[m].model.network->target_predictor();
      scores.push_back(scores_of(model, states[m], first, targets.per_row));
    }
    for (std::int64_t row = 0; row < std::min(kScoredRows, tokens - first); ++row) {
      add_row(scores, models_.weights, row, targets);
    }
  }
  return targets;
}

void expect_vocabulary_of_teacher(const DistillationSettings& settings, const TokenizerSettings& tokenizers) {
  if (settings.teacher.empty() || !tokenizers.learned()) return;
  const std::string& first = settings.teacher.front();
  if (model_directory_of(first).empty()) return;  // open_teachers reports it
  throw UsageError(concat("--teacher ", first, ": the student must have the vocabulary of its teacher; give ",
                          tokenizers_of(first)));
}

std::shared_ptr<const Teachers> open_teachers(DistillationSettings& settings, int threads,
                                              Listener& listener) {
  if (settings.teacher.empty()) return nullptr;
  auto teachers = std::make_shared<const Teachers>(settings, threads, listener);
  settings.sums = teachers->sums();
  return teachers;
}

void expect_same_teachers(const DistillationSettings& settings, const std::string& checkpoint) {
  const nlohmann::json config = read_model_config(checkpoint);
  const nlohmann::json training = config.value("training", nlohmann::json::object());
  const nlohmann::json none = nlohmann::json::array(), sums(settings.sums);
  if (training.value("teacher_sums", none) == sums) return;
  throw UsageError(concat("the training of ", checkpoint, " was started with other models as --teacher",
                          settings.teacher.empty() ? "" : " than " + join(settings.teacher, ", "),
                          "; continue with the same models, choose another --output, or start over with "
                          "--fresh"));
}

}  // namespace gloss
