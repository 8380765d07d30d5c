#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/lines.h"
#include "pipeline/model_training.h"

namespace gloss {
namespace {

/// Standard input can be one file only.
void check_standard_input(const ModelTrainingSettings& settings) {
  const ParallelFiles& valid = settings.valid_text;
  std::vector<std::string> paths{valid.source, valid.target, valid.tsv, valid.plain};
  for (const WeightedFiles& corpus : corpora_of(settings.text)) {
    const ParallelFiles& files = corpus.files;
    paths.insert(paths.end(), {files.source, files.target, files.tsv, files.line_weights, files.plain});
  }
  expect_standard_input_once(paths);
  if (settings.ranks > 1 && std::ranges::count(paths, "-") > 0) {
    throw UsageError(
        "standard input reaches one of several ranks only: found '-', expected a file that all see");
  }
}

}  // namespace

Fields loop_fields_of(LoopSettings& loop) {
  Fields fields;
  for (const Fields& some :
       {fields_of(loop.training), fields_of(loop.batches), fields_of(loop.optimizer),
        fields_of(loop.schedule), fields_of(loop.moving_average), fields_of(loop.divergence)}) {
    append(fields, some);
  }
  return fields;
}

void check(const ModelTrainingSettings& settings) {
  check_standard_input(settings);
  of_all_ranks(settings.loop.batches, settings.ranks);
  check(settings.tokenizers);
  check_chosen(settings.network);
  check(settings.loop);
}

}  // namespace gloss
