#include <chrono>

#include "base/error.h"
#include "base/files.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/profile_table.h"
#include "cli/terminal.h"
#include "pipeline/training_directory.h"
#include "pipeline/translation_model.h"
#include "pipeline/translation_stream.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "Output: a line for every line, in the same order; an empty or blank line gives\n"
    "an empty one. Only '\\n' ends a line.\n"
    "  --scores  SCORE<tab>TRANSLATION\n"
    "  --n-best  LINE ||| TRANSLATION ||| SCORE, the best first, at most N for each\n"
    "            line and one for an empty one; LINE is counted from 0\n"
    "SCORE = log-probability / length^A: natural logarithm of the probability of all\n"
    "tokens and the end, length in tokens with the end, A from --length-penalty. The\n"
    "same line gives the same bytes whatever the batches, neighbours and threads.\n";

std::string score_text(double score) { return fixed_text(score, 6); }

void write_lines(std::span<const TranslatedLine> lines, bool scores, Output& output) {
  for (const TranslatedLine& line : lines) {
    const Translation& best = line.translations.front();
    if (scores) output.write(score_text(best.score) + "\t");
    output.line(best.text);
  }
}

void write_n_best(std::int64_t first, std::span<const TranslatedLine> lines, Output& output) {
  for (const TranslatedLine& line : lines) {
    for (const Translation& translation : line.translations) {
      output.line(concat(first, " ||| ", translation.text, " ||| ", score_text(translation.score)));
    }
    ++first;
  }
}

}  // namespace

int run_translate(std::span<const std::string> arguments) {
  std::string model_directory, input = "-", output_file = "-";
  bool scores = false, profiled = false;
  int threads = available_processors();
  TranslationSettings settings;

  Options options("translate", "-m DIR [OPTION...] < TEXT > TRANSLATION", "translate line by line");
  options.add("Files",
              {{"model", &model_directory, "model directory, or a training directory for its best", {}, 'm'},
               {"input", &input, "text to translate; '-' is standard input", {}, 'i'},
               {"output", &output_file, "where translations go; '-' is standard output", {}, 'o'}});
  options.add("Search", fields_of(settings.search));
  options.add("Output", {{"scores", &scores, "puts the score and a tab before each translation"}});
  Fields speed = limit_fields_of(settings);
  speed.push_back({"threads", &threads, "lines are translated on so many threads", {1, 1024}, 'j'});
  speed.push_back(profile_field(profiled));
  options.add("Limits and speed", speed);
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  if (model_directory.empty()) throw UsageError("which model? Give its directory with -m DIR");

  const TranslationModel model = read_translation_model(model_directory_of(model_directory), Weights::mapped);
  limit_lengths(model.model.settings, settings);
  const Translator translator(*model.model.network, *model.source, *model.target, model.normalization,
                              settings, threads);
  LineReader reader(input);  // after all else that may be wrong: it waits for the first bytes
  Output output(output_file);
  Terminal terminal("translate", options.quiet());
  const bool n_best = options.given("n_best");

  const ProfileTable profile(profiled);
  const auto start = std::chrono::steady_clock::now();
  const TranslationTotals totals = translate_stream(
      translator, reader,
      [&](std::int64_t first, std::span<const TranslatedLine> lines) {
        if (n_best) {
          write_n_best(first, lines, output);
        } else {
          write_lines(lines, scores, output);
        }
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
