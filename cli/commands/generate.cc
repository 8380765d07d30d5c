// SPDX-License-Identifier: Apache-2.0

#include <memory>

#include "base/counted.h"
#include "base/error.h"
#include "base/json.h"
#include "base/threads.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/search_options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/generator.h"

namespace gloss {
namespace {

constexpr const char* kGenerateFormats =
    "Each line is continued until the model's end token, or for --max-tokens tokens.\n"
    "Output: one line for each input line, in the same order; an empty or blank line\n"
    "gives an empty one. Only '\\n' ends a line.\n"
    "  by default     the line and its continuation\n"
    "  --only-new     only the continuation\n"
    "  --scores       SCORE<tab>TEXT\n"
    "  --n-best N     LINE ||| TEXT ||| LogProbability= X Tokens= N ||| SCORE, the\n"
    "                 best first; LINE counts from 0\n"
    "  --format json  an object per line: {\"line\": from 0, \"texts\": [{\"text\",\n"
    "                 \"score\", \"log_probability\", \"tokens\", \"cut\"}, ...]}\n"
    "The result for a line never depends on batch size, other lines or threads; with\n"
    "--sample it also depends on the seed and the line number.\n";

struct GenerateSettings {
  std::vector<std::string> models, weights;
  InputFiles input;
  std::string output = "-";
  bool resume = false;
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

/// The input of `--unprompted N`: N empty lines.
class EmptyLines : public InputStream<std::string> {
 public:
  explicit EmptyLines(std::int64_t count) : count_(count) {}
  bool next(std::string& line) override {
    line.clear();
    return given_++ < count_;
  }
  bool available(std::chrono::steady_clock::time_point) override { return true; }
  std::string place(std::int64_t number) const override { return concat("line ", number); }
  std::int64_t total() const override { return count_; }

 private:
  std::int64_t count_, given_ = 0;
};

/// Continues the lines of a stream, or begins lines, and writes them as they are made.
void generate_all(const Generator& generator, const GenerateSettings& settings,
                  InputStream<std::string>& input, Run& run, Terminal& terminal) {
  constexpr std::size_t kBegunTogether = 1024;
  StreamReport report(input, terminal, {.which = "the first "});
  std::int64_t tokens = 0;
  const auto answer = [&](std::span<const std::string> lines, std::int64_t first, const auto& finished) {
    return settings.unprompted == 0 ? generator.continue_lines(lines, finished, first)
                                    : generator.begin_lines(static_cast<int>(lines.size()), finished, first);
  };
  const auto write_line = [&](std::int64_t number, const GeneratedLine& line) {
    write(number, line, settings, run.output());
    tokens += line.texts.front().tokens;
  };
  const WindowLimits limits =
      settings.unprompted == 0 ? WindowLimits{} : WindowLimits{.items = kBegunTogether};
  answer_stream<std::string, GeneratedLine>(input, {answer, write_line, limits}, run.answers(), report);
  run.close(report, {&tokens});
  terminal.note(concat(counted(report.items(), "line"), run.circumstances(), ", ", counted(tokens, "token"),
                       " added in ", fixed_text(report.seconds(), 1), " s", report.summary()));
}

void add_options(Options& options, GenerateSettings& settings) {
  options.usage("-m DIR [OPTION...] [FILE...] > TEXT", "continue lines of text with a language model");
  Fields files = ensemble_fields(settings.models, settings.weights);
  append(
      files,
      {input_field(settings.input, options, "lines to continue"),
       {"output", &settings.output, "file for the text; '-' is standard output", {}, 'o', "FILE", kWritten},
       resume_field(settings.resume),
       shard_field(settings.input.shard),
       line_limit_field(settings.input),
       {"unprompted", &settings.unprompted, "generate N lines without reading any", {0, 1e12}}});
  options.add("Files", files);
  options.add("Search", search_fields_of(settings.generation));
  options.add("Sampling", fields_of(settings.generation.search.sampling));
  options.add("Output",
              {{"format", choice(settings.format, {"text", "json"}), "output lines of text or of JSON"},
               {"scores", &settings.scores, "write the score and a tab before each text"},
               {"only_new", &settings.only_new, "write only the continuation, without the line"}});
  options.add("Speed",
              speed_fields(settings.generation.batches, settings.precision, settings.threads, "continued"));
  options.common({&settings.models, &settings.input.input, &settings.output, &settings.generation.max_tokens,
                  &settings.generation.search.sampling.sample, &settings.generation.search.sampling.top_p,
                  &settings.only_new, &settings.threads});
  options.example("Continue each line with its most probable text",
                  "gloss generate -m model < prompts > texts");
  options.example("Draw ten random texts", "gloss generate -m model --unprompted 10 --sample --top-p 0.9");
  options.epilogue(kGenerateFormats);
}

int generate(const Options& options, GenerateSettings& settings, Run& run) {
  settings.n_best = options.given(settings.generation.search.n_best);
  check_search_options(options, settings.generation.search, settings.scores,
                       settings.n_best || settings.format == OutputFormat::json);
  const std::vector<std::string> paths = files_to_read(settings.input, options, &settings.models);
  if (settings.unprompted > 0 &&
      (options.given(settings.input.input) || paths != std::vector<std::string>{"-"})) {
    throw UsageError("--unprompted reads no text; leave out --input and files");
  }
  const Shard shard = run.join(settings.output, settings.input.shard);
  if (settings.unprompted > 0 && !shard.whole())
    throw UsageError("--unprompted reads no text to divide; leave out --shard and mpirun");
  std::unique_ptr<InputStream<std::string>> input;
  const TextShard* part = nullptr;
  if (settings.unprompted == 0) {
    auto lines = std::make_unique<TextFiles>(paths, settings.input.max_line_bytes, shard);
    part = &lines->shard();
    input = std::move(lines);
  }
  if (settings.unprompted > 0) input = std::make_unique<EmptyLines>(settings.unprompted);
  Terminal terminal("generate", options.quiet(), run.first());
  TextModels models = read_text_models({settings.models, Form::decoder, settings.weights}, terminal);
  pack(models, settings.precision, settings.threads, terminal);
  fit_threads(settings.threads, terminal);
  take_model_defaults(models, options.given(), settings.generation.search);
  const Generator generator(models, settings.generation, settings.threads);
  run.open(options, {settings.output, settings.resume, part}, models.members);
  generate_all(generator, settings, *input, run, terminal);
  return 0;
}

}  // namespace

Work declare_generate(Options& options) { return run_of<GenerateSettings>(options, add_options, generate); }

}  // namespace gloss
