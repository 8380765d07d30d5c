// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/threads.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run_output.h"
#include "cli/lines/translation_output.h"
#include "cli/options/compute_options.h"
#include "cli/options/input_files.h"
#include "cli/options/options.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/translation/split_lines.h"
#include "pipeline/translation/translation_settings.h"

namespace gloss {

/// The command line of `gloss score`.
struct ScoreRequest {
  std::vector<std::string> models, weights;
  ParallelFiles files;
  std::string n_best_list, feature = "ModelScore", output = "-", shard;
  bool summary = false, resume = false, swap_sides = false;
  OutputFormat format = OutputFormat::text;
  TranslationSettings translation;
  LanguageChoice languages;
  ParagraphSettings paragraphs;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};

/// Adds the options, which set the request's members.
void add_options(Options&, ScoreRequest&);
/// Throws UsageError if what was asked for does not fit together.
void check(const ScoreRequest&, const Options&);

}  // namespace gloss
