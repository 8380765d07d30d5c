// SPDX-License-Identifier: Apache-2.0

#include <filesystem>

#include "base/error.h"
#include "base/threads.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/alignment/shortlist_learning.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {
namespace {

struct ShortlistRequest {
  std::string model_directory, output;
  ParallelFiles files;
  ShortlistLearning learning;
  int threads = available_processors();
};

void add_options(Options& options, ShortlistRequest& request) {
  options.usage("-m DIR --source FILE --target FILE --output FILE",
                "learn likely translations of pieces, for faster translation");
  Fields places{{"model",
                 &request.model_directory,
                 "model directory; the shortlist is for its vocabularies",
                 {},
                 'm',
                 "DIR",
                 kModelDirectory}};
  for (Field& field : fields_of(request.files, "", "training text")) places.push_back(std::move(field));
  places.push_back({"output", &request.output, "shortlist file to write", {}, 'o', "FILE", kWritten});
  places.push_back(line_limit_field(request.files.max_line_bytes, "skip"));
  options.add("Files", places);
  options.add("Learning", fields_of(request.learning));
  options.add("Speed", {threads_field(request.threads)});
  options.common({&request.model_directory, &request.files.source, &request.files.target, &request.output,
                  &request.learning.best, &request.threads});
  options.example("Learn a shortlist from the training text",
                  "gloss shortlist -m model --source train.en --target train.de -o lex");
  options.example("Translate with it", "gloss translate -m model --shortlist lex < text.en");
  options.epilogue(
      "'gloss translate --shortlist FILE' then considers only the most probable\n"
      "translations of the pieces of a line, and the most frequent pieces. The file\n"
      "fits all models with the same vocabularies.\n");
}

int run_shortlist(const Options& options, ShortlistRequest& request) {
  if (request.model_directory.empty())
    throw UsageError("-m DIR is required: the model that the shortlist is for");
  if (request.output.empty() || request.output == "-") {
    throw UsageError("--output FILE is required: the shortlist file to write");
  }
  check(request.files, "");
  Terminal terminal("shortlist", options.quiet());
  const TextModels models = read_text_models({{request.model_directory}, Form::encoder_decoder}, terminal);
  const TextModel& model = models.first();
  const std::filesystem::path folder = std::filesystem::path(request.output).parent_path();
  fit_threads(request.threads, terminal);
  const IndexedPairs text(request.files, folder.empty() ? "." : folder.string(), terminal);
  const Shortlist shortlist = learn_shortlist(text, {model.source, model.target}, model.format.normalization,
                                              request.learning, request.threads, terminal);
  shortlist.write(request.output, *model.source, *model.target);
  terminal.note(concat("wrote ", request.output));
  return 0;
}

}  // namespace

Work declare_shortlist(Options& options) {
  return work_on<ShortlistRequest>(options, add_options, run_shortlist);
}

}  // namespace gloss
