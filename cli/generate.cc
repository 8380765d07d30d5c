#include <algorithm>
#include <optional>

#include "base/json.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/line_answers.h"
#include "cli/search_options.h"
#include "cli/translation_output.h"
#include "pipeline/generation.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "Each line is continued to its end: the model's end token, or --max-tokens.\n"
    "Output: a line for every line, in the same order; an empty or blank line gives\n"
    "an empty one. Only '\\n' ends a line.\n"
    "  by default     the line with what was added\n"
    "  --only-new     what was added alone\n"
    "  --scores       SCORE<tab>TEXT\n"
    "  --n-best N     LINE ||| TEXT ||| LogProbability= X Tokens= N ||| SCORE, the\n"
    "                 best first; LINE is counted from 0\n"
    "  --format json  for each line {\"line\": from 0, \"texts\": [{\"text\", \"score\",\n"
    "                 \"log_probability\", \"tokens\", \"cut\"}, ...]}\n"
    "The same line gives the same bytes whatever the batches, neighbours and threads;\n"
    "what --sample draws depends on the seed and the line's number, too.\n";

struct GenerateSettings {
  std::vector<std::string> models, weights;
  std::string input = "-", output = "-";
  std::int64_t unprompted = 0;
  OutputFormat format = OutputFormat::text;
  bool scores = false, only_new = false, n_best = false;
  GenerationSettings generation;
  Precision precision = Precision::automatic;
  int threads = available_processors();
};

std::string text_of(const GeneratedText& text, const GenerateSettings& settings) {
  return settings.only_new ? text.text : text.prompt + text.text;
}

void write(std::int64_t number, const GeneratedLine& line, const GenerateSettings& settings, Output& output) {
  const std::size_t count = settings.n_best ? line.texts.size() : 1;
  const std::span<const GeneratedText> texts = std::span(line.texts).first(count);
  if (settings.format == OutputFormat::json) {
    nlohmann::json list = nlohmann::json::array();
    for (const GeneratedText& text : texts) {
      list.push_back({{"text", text_of(text, settings)},
                      {"score", text.score},
                      {"log_probability", text.log_probability},
                      {"tokens", text.tokens},
                      {"cut", text.cut}});
    }
    output.line(json_line({{"line", number}, {"texts", list}}));
    return;
  }
  for (const GeneratedText& text : texts) {
    const std::string shown = text_of(text, settings);
    if (settings.n_best) {
      output.line(concat(number, " ||| ", shown, " ||| LogProbability= ", score_text(text.log_probability),
                         " Tokens= ", text.tokens, " ||| ", score_text(text.score)));
    } else {
      output.line(settings.scores ? score_text(text.score) + "\t" + shown : shown);
    }
  }
}

/// Continues the lines of a stream, or begins lines, and writes them as they are made.
void generate_all(const Generator& generator, const GenerateSettings& settings, Output& output,
                  Terminal& terminal) {
  constexpr std::int64_t kBegunTogether = 1024;
  std::optional<LineReader> reader;  // after all else that may be wrong: it waits for the first bytes
  if (settings.unprompted == 0) reader.emplace(settings.input);
  Happening invalid;
  std::int64_t first = 0, done = 0, tokens = 0;
  const auto finished = [&](int lines) {
    done += lines;
    terminal.progress({done, settings.unprompted, "lines", ""});
  };
  while (true) {
    std::vector<GeneratedLine> lines;
    if (reader) {
      lines = generator.continue_lines(next_window(*reader), finished, first);
    } else {
      const std::int64_t count = std::min(kBegunTogether, settings.unprompted - first);
      lines = generator.begin_lines(static_cast<int>(count), finished, first);
    }
    if (lines.empty()) break;
    for (const GeneratedLine& line : lines) {
      write(first++, line, settings, output);
      tokens += line.texts.front().tokens;
      invalid.add(first, line.replaced);
      if (line.left_out == 0) continue;
      terminal.warn(concat(reader->name(), ":", first, ": the line has ", line.prompt_tokens,
                           " tokens; the model has no positions for the first ", line.left_out,
                           " and did not see them"));
    }
    output.flush();
  }
  output.close();
  if (invalid.lines > 0) {
    terminal.warn(concat(reader->name(), ": invalid UTF-8 ", invalid.where(),
                         " was read as U+FFFD; sequences: ", invalid.times));
  }
  terminal.note(concat(first, " lines, ", tokens, " tokens added"));
}

}  // namespace

int run_generate(std::span<const std::string> arguments) {
  GenerateSettings settings;
  Options options("generate", "-m DIR [OPTION...] < PROMPTS > TEXT",
                  "continue text line by line with a language model");
  options.add("Files", {{"model",
                         &settings.models,
                         "model directory, or a training directory for its best; several work together",
                         {},
                         'm'},
                        {"ensemble_weights", &settings.weights,
                         "how much each of several models counts; by default all the same"},
                        {"input", &settings.input, "lines to continue; '-' is standard input", {}, 'i'},
                        {"output", &settings.output, "where text goes; '-' is standard output", {}, 'o'},
                        {"unprompted",
                         &settings.unprompted,
                         "reads nothing and makes so many lines from nothing",
                         {0, 1e12}}});
  options.add("Search", search_fields_of(settings.generation));
  options.add("Sampling", fields_of(settings.generation.search.sampling));
  options.add("Output", {{"format", choice(settings.format, {"text", "json"}), "lines of text, or of JSON"},
                         {"scores", &settings.scores, "puts the score and a tab before each text"},
                         {"only_new", &settings.only_new, "what was added, without the line"}});
  options.add("Speed",
              speed_fields(settings.generation.batches, settings.precision, settings.threads, "continued"));
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  settings.n_best = options.given("n_best");
  check_search_options(options, settings.generation.search.sampling, settings.scores,
                       settings.n_best || settings.format == OutputFormat::json);
  if (settings.unprompted > 0 && options.given("input")) {
    throw UsageError("--unprompted reads nothing; leave out --input");
  }
  TextModels models = read_text_models(settings.models, settings.weights, Form::decoder);
  pack(models, settings.precision, settings.threads);
  const Generator generator(models, settings.generation, settings.threads);
  Output output(settings.output);
  Terminal terminal("generate", options.quiet());
  generate_all(generator, settings, output, terminal);
  return 0;
}

}  // namespace gloss
