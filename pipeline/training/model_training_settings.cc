// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/model_training_settings.h"

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"

namespace gloss {
namespace {

/// Throws UsageError if standard input is given more than once, or with several ranks.
void check_standard_input(const ModelTrainingSettings& settings) {
  const ParallelFiles& valid = settings.valid_text;
  std::vector<std::string> paths{valid.source, valid.target, valid.tsv, valid.plain};
  for (const WeightedFiles& corpus : corpora_of(settings.text)) {
    const ParallelFiles& files = corpus.files;
    paths.insert(paths.end(),
                 {files.source, files.target, files.tsv, files.line_weights, files.links, files.plain});
  }
  expect_standard_input_once(paths);
  if (settings.ranks > 1 && std::ranges::count(paths, "-") > 0) {
    throw UsageError(
        "'-': only one of several ranks can read standard input; give a file that all ranks can read");
  }
}

}  // namespace

Fields run_fields_of(ModelTrainingSettings& settings) {
  Fields fields = fields_of(settings.start);
  LoopSettings& loop = settings.loop;
  for (const Fields& some :
       {fields_of(loop.training), fields_of(loop.batches), fields_of(loop.optimizer),
        fields_of(loop.schedule), fields_of(loop.moving_average), fields_of(loop.divergence)}) {
    append(fields, some);
  }
  fields.push_back({"ranks", &settings.ranks, "number of processes that train together"});
  add_traits(fields, kFreeOnResume, settings.ranks);
  return fields;
}

Field hold_out_field(ModelTrainingSettings& settings) {
  return {"hold_out", &settings.hold_out,
          "without a validation text, set up to 1,000 lines aside that have no near duplicate in the rest"};
}

void check(const ModelTrainingSettings& settings) {
  check_standard_input(settings);
  of_all_ranks(settings.loop.batches, settings.ranks);
  check(settings.tokenizers);
  check_chosen(settings.network);
  check(settings.loop);
  if (!settings.validates() && settings.loop.training.early_stopping > 0) {
    const bool parallel = !settings.text.source.empty() || !settings.text.tsv.empty();
    throw UsageError(concat("--early-stopping needs a validation text: ",
                            parallel ? "--valid-source and --valid-target" : "--valid-input"));
  }
}

}  // namespace gloss
