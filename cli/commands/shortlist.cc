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

int run_shortlist(std::span<const std::string> arguments) {
  std::string model_directory, output;
  ParallelFiles files;
  ShortlistLearning learning;
  int threads = available_processors();
  Options options("shortlist", "-m DIR --source FILE --target FILE --output FILE",
                  "learn likely translations of pieces, for faster translation");
  Fields places{{"model",
                 &model_directory,
                 "model directory; the shortlist is for its vocabularies",
                 {},
                 'm',
                 "DIR",
                 kModelDirectory}};
  for (Field& field : fields_of(files, "", "training text")) places.push_back(std::move(field));
  places.push_back({"output", &output, "shortlist file to write", {}, 'o', "FILE", kWritten});
  places.push_back(line_limit_field(files.max_line_bytes, "skip"));
  options.add("Files", places);
  options.add("Learning", fields_of(learning));
  options.add("Speed", {threads_field(threads)});
  options.common({&model_directory, &files.source, &files.target, &output, &learning.best, &threads});
  options.example("Learn a shortlist from the training text",
                  "gloss shortlist -m model --source train.en --target train.de -o lex");
  options.example("Translate with it", "gloss translate -m model --shortlist lex < text.en");
  options.epilogue(
      "'gloss translate --shortlist FILE' then considers only the most probable\n"
      "translations of the pieces of a line, and the most frequent pieces. The file\n"
      "fits all models with the same vocabularies.\n");
  options.parse(arguments);
  if (model_directory.empty()) throw UsageError("-m DIR is required: the model that the shortlist is for");
  if (output.empty() || output == "-") {
    throw UsageError("--output FILE is required: the shortlist file to write");
  }
  check(files, "");
  Terminal terminal("shortlist", options.quiet());
  const TextModels models = read_text_models({{model_directory}, Form::encoder_decoder}, terminal);
  const TextModel& model = models.first();
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  fit_threads(threads, terminal);
  const IndexedPairs text(files, folder.empty() ? "." : folder.string(), terminal);
  const Shortlist shortlist = learn_shortlist(text, {model.source, model.target}, model.format.normalization,
                                              learning, threads, terminal);
  shortlist.write(output, *model.source, *model.target);
  terminal.note(concat("wrote ", output));
  return 0;
}

}  // namespace gloss
