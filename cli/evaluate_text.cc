#include "cli/evaluate_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/nameless_file.h"
#include "base/threads.h"
#include "base/worker_threads.h"
#include "cli/terminal.h"
#include "pipeline/text_evaluation.h"
#include "pipeline/training_directory.h"

namespace gloss {

int evaluate_text_models(Field task, std::span<const std::string> arguments) {
  std::vector<std::string> texts;
  std::string name;
  PlainTextSettings given;
  int threads = available_processors();
  Options options("evaluate", "--task lm -m DIR TEXT... [OPTION...]",
                  "tell how well a language model tells text");
  options.positional("TEXT", texts);
  options.add("Model", {std::move(task),
                        {"model", &name, "model directory, or a training directory for its best", {}, 'm'}});
  Fields blocks = fields_of(given);
  for (Field& field : blocks) field.help += "; if not given, as the model was trained";
  options.add("Text", blocks);
  options.add("Speed", {{"threads", &threads, "threads to compute with", {1, 1024}, 'j'}});
  options.epilogue(
      "Output: for each text a line of JSON with cross-entropy (nats), perplexity (both\n"
      "per token, ends of lines included) and bits per character: what a training\n"
      "reports that validates on the text. 'gloss score --input' scores each line by\n"
      "itself.");
  if (!options.parse(arguments)) return 0;
  if (name.empty()) throw UsageError("which model? Give its directory with -m DIR");
  if (texts.empty()) throw UsageError("expected one or more files of text; found none");
  Terminal terminal("evaluate", options.quiet());
  const std::string directory = model_directory_of(name);
  const TextModel model = read_text_model(directory, Weights::copied);
  expect_form(model, Form::decoder, name);
  const int positions = model.model.settings.transformer.max_positions;
  if (options.given("block_length") && given.block_length > positions) {
    throw UsageError(concat("--block-length ", given.block_length, " does not fit into the ", positions,
                            " positions of ", name));
  }
  PlainTextSettings used = plain_text_settings_of(directory);
  used.block_length =
      options.given("block_length") ? given.block_length : std::min(used.block_length, positions);
  if (options.given("document")) used.document = given.document;
  WorkerThreads workers(threads);
  Output out;
  for (const std::string& text : texts) {
    TextFigures figures = evaluate_text(model, text, used, temporary_folder(), workers, terminal);
    nlohmann::json line = fields_to_json(fields_of(figures));
    line["text"] = text;
    line["perplexity"] = figures.perplexity();
    out.line(json_line(line));
  }
  out.close();
  return 0;
}

}  // namespace gloss
