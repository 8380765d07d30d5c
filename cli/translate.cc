#include <chrono>

#include "base/error.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/profile_table.h"
#include "cli/search_options.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/precision.h"
#include "pipeline/text_model.h"
#include "pipeline/translation_stream.h"

namespace gloss {

int run_translate(std::span<const std::string> arguments) {
  std::vector<std::string> model_directories, weights;
  std::string input = "-", output_file = "-";
  bool profiled = false;
  int threads = available_processors();
  Precision precision = Precision::automatic;
  TranslationSettings settings;
  TranslationOutputSettings format;

  Options options("translate", "-m DIR [OPTION...] < TEXT > TRANSLATION", "translate line by line");
  options.add("Files", {{"model",
                         &model_directories,
                         "model directory, or a training directory for its best; several translate together",
                         {},
                         'm'},
                        {"ensemble_weights", &weights,
                         "how much each of several models counts; by default all the same"},
                        {"input", &input, "text to translate; '-' is standard input", {}, 'i'},
                        {"output", &output_file, "where translations go; '-' is standard output", {}, 'o'}});
  options.add("Search", fields_of(settings.search));
  options.add("Sampling", fields_of(settings.search.sampling));
  options.add("Rules", rule_fields_of(settings));
  options.add("Shortlist", fields_of(settings.shortlist));
  options.add("Output", fields_of(format, settings));
  Fields speed = limit_fields_of(settings);
  speed.push_back({"precision", translation_precision_choice(precision),
                   "what is computed with; auto: as the model is stored (gloss quantize)"});
  speed.push_back({"threads", &threads, "lines are translated on so many threads", {1, 1024}, 'j'});
  speed.push_back(profile_field(profiled));
  options.add("Limits and speed", speed);
  options.epilogue(kTranslationFormats);
  if (!options.parse(arguments)) return 0;
  format.n_best = options.given("n_best");
  check_search_options(options, settings.search.sampling, format.scores,
                       format.n_best || format.format == OutputFormat::json);
  expect_standard_input_once({input, settings.lexicon, settings.ban});

  TextModels models = read_text_models(model_directories, weights, Form::encoder_decoder);
  pack(models, precision, threads);
  limit_lengths(models, settings);
  const Translator translator(models.decoder(), *models.first().source, *models.first().target,
                              models.first().format.normalization, settings, threads);
  LineReader reader(input);  // after all else that may be wrong: it waits for the first bytes
  Output output(output_file);
  Terminal terminal("translate", options.quiet());

  const ProfileTable profile(profiled);
  const auto start = std::chrono::steady_clock::now();
  const TranslationTotals totals = translate_stream(
      translator, reader,
      [&](std::int64_t first, std::span<const TranslatedLine> lines) {
        write_translations(first, lines, format, settings, output);
        output.flush();
      },
      terminal);
  output.close();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  terminal.note(concat(totals.lines, " lines, ", totals.source_tokens, " tokens translated into ",
                       totals.target_tokens, " in ", fixed_text(seconds, 1), " s"));
  profile.print(threads);
  return 0;
}

}  // namespace gloss
