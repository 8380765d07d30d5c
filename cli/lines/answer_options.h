// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/threads.h"
#include "cli/lines/translation_output.h"
#include "cli/options/input_files.h"
#include "cli/options/options.h"
#include "pipeline/search/parallel_search.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// The options for batches, precision and threads. `done` is a participle for the help, such as "filled".
Fields speed_fields(SearchBatchSettings&, Precision&, int& threads, const std::string& done);

/// The options for the model directories of commands that accept an ensemble, and for the weights of its
/// models.
Fields ensemble_fields(std::vector<std::string>& models, std::vector<std::string>& weights);

/// The settings of commands that answer lines with one model.
struct AnswerSettings {
  std::string model, output = "-";
  bool resume = false;
  InputFiles input;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};
/// The options for the model, the input and the output; `lines` and `answers` describe the latter two in the
/// help.
Fields file_fields(AnswerSettings&, Options&, const std::string& lines, const std::string& answers);
/// The model, packed for its precision. Throws UsageError if none is given or it is not of this form.
TextModel answering_model(const AnswerSettings&, std::optional<Form>, Listener&);

/// Lines of text, or of JSON, to which `scores` adds what text leaves out.
struct TextOrJson {
  OutputFormat format = OutputFormat::text;
  bool scores = false;
};
Field format_field(TextOrJson&);
/// Throws UsageError if --scores is given with JSON, which always has scores.
void check(const TextOrJson&);

}  // namespace gloss
