// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/threads.h"
#include "cli/answer_options.h"
#include "cli/commands.h"
#include "cli/compute_options.h"
#include "cli/input_files.h"
#include "cli/options.h"
#include "cli/profile_table.h"
#include "cli/search_options.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/data/answer_stream.h"
#include "pipeline/data/text_files.h"
#include "pipeline/inference/precision.h"
#include "pipeline/inference/text_model.h"
#include "pipeline/inference/translation_totals.h"

namespace gloss {

int run_translate(std::span<const std::string> arguments) {
  std::vector<std::string> model_directories, weights;
  InputFiles input_files;
  std::string output_file = "-";
  bool profiled = false;
  int threads = available_processors();
  Precision precision = Precision::automatic;
  TranslationSettings settings;
  TranslationOutputSettings format;

  Options options("translate", "-m DIR [OPTION...] [FILE...] > TRANSLATION", "translate text line by line");
  Fields files = ensemble_fields(model_directories, weights);
  append(files, {input_field(input_files, options, "text to translate"),
                 {"output",
                  &output_file,
                  "file for the translations; '-' is standard output",
                  {},
                  'o',
                  "FILE",
                  kWritten}});
  options.add("Files", files);
  options.add("Search", fields_of(settings.search));
  options.add("Sampling", fields_of(settings.search.sampling));
  options.add("Rules", rule_fields_of(settings));
  options.add("Shortlist", fields_of(settings.shortlist));
  options.add("Output", fields_of(format, settings));
  Fields speed = limit_fields_of(settings);
  speed.push_back(line_limit_field(input_files));
  speed.push_back(precision_field(precision));
  speed.push_back(threads_field(threads));
  speed.push_back(profile_field(profiled));
  options.add("Limits and speed", speed);
  options.common({&model_directories, &input_files.input, &output_file, &settings.search.beam_size,
                  &settings.search.n_best, &settings.search.length_penalty, &precision, &threads});
  options.example("Translate a file", "gloss translate -m model < text.en > text.de");
  options.example("Write the five best translations of each line, with scores",
                  "gloss translate -m model --n-best 5 -i text.en");
  options.example("Translate faster, with 8-bit integers",
                  "gloss translate -m model --precision int8 < text.en");
  options.epilogue(kTranslationFormats);
  options.parse(arguments);
  format.n_best = options.given(settings.search.n_best);
  check_search_options(options, settings.search, format.scores,
                       format.n_best || format.format == OutputFormat::json);
  std::vector<std::string> paths = files_to_read(input_files, options, &model_directories);
  TextFiles input(paths, input_files.max_line_bytes);
  paths.insert(paths.end(), {settings.lexicon, settings.ban});
  expect_standard_input_once(paths);

  TextModels models = read_text_models(model_directories, weights, Form::encoder_decoder);
  Terminal terminal("translate", options.quiet());
  pack(models, precision, threads, terminal);
  limit_lengths(models, settings);
  fit_threads(threads, terminal);
  const Translator translator(models.decoder(), *models.first().source, *models.first().target,
                              models.first().format.normalization, settings, threads);
  Output output(output_file);

  const ProfileTable profile(profiled);
  StreamReport report(input, terminal,
                      {.limit = concat(settings.max_source_tokens,
                                       ", by --max-source-tokens or the positions of the model")});
  TranslationTotals totals;
  const AnswerSteps<std::string, TranslatedLine> steps{
      .answer = [&](const auto& lines, std::int64_t first,
                    const auto& finished) { return translator.translate(lines, finished, first); },
      .write =
          [&](std::int64_t number, const TranslatedLine& line) {
            write_translations(number, line, format, settings, output);
            count_shortcomings(line, report);
            totals.add(line);
          },
      .problem_costs = ProblemCosts::answer};
  answer_stream(input, steps, output, report);
  output.close();
  terminal.note(concat(counted(report.items(), "line"), ", ", totals.summary(), ", in ",
                       fixed_text(report.seconds(), 1), " s", report.summary(), totals.problems()));
  profile.print(threads);
  if (report.problems() > 0) {
    throw InputError(concat(report.problems(), " of ", report.items(),
                            " lines have no translation, but empty lines instead; the warnings say why"));
  }
  return 0;
}

}  // namespace gloss
