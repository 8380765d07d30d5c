// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/evaluate_perplexity.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/nameless_file.h"
#include "base/output.h"
#include "base/threads.h"
#include "base/worker_threads.h"
#include "cli/commands/evaluate_request.h"
#include "cli/options/compute_options.h"
#include "cli/process/terminal.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/tasks/perplexity.h"

namespace gloss {
namespace {

struct PerplexityRequest {
  EvaluationTask task = EvaluationTask::translate;
  std::vector<std::string> texts;
  std::string name;
  PlainTextSettings given;
  int threads = available_processors();
};

void add_options(Options& options, PerplexityRequest& request) {
  auto& [task, texts, name, given, threads] = request;
  options.usage("--task lm -m DIR TEXT... [OPTION...]", "compute the perplexity of a language model on text");
  options.positional("TEXT", texts);
  options.add("Model", {task_field(task), {"model", &name, kModelHelp, {}, 'm', "DIR", kModelDirectory}});
  Fields blocks = fields_of(given);
  for (Field& field : blocks) field.help += "; by default as in the training of the model";
  options.add("Text", blocks);
  options.add("Speed", {threads_field(threads)});
  options.epilogue(
      "Output: a line of JSON for each text, with cross-entropy (nats) and perplexity\n"
      "per token, ends of lines included, and bits per character. They are the figures\n"
      "of a training that validates on the text. 'gloss score --input' scores each line\n"
      "separately.");
  options.common({&name, &given.block_length, &given.document, &threads});
  options.example("Compute the perplexity of two texts",
                  "gloss evaluate --task lm -m model news.txt talks.txt");
  options.example("Treat each line as a document",
                  "gloss evaluate --task lm -m model --document line news.txt");
}

int run_perplexity(const Options& options, PerplexityRequest& request) {
  auto& [task, texts, name, given, threads] = request;
  if (name.empty()) throw UsageError("-m DIR is required: the language model");
  if (texts.empty()) throw UsageError("expected one or more files of text; found none");
  Terminal terminal("evaluate", options.quiet());
  const ReadableModel readable(name, terminal);
  const std::string& directory = readable.directory();
  const TextModel model = read_text_model(directory, Weights::copied);
  expect_form(model.model.settings, Form::decoder, name);
  const int positions = model.model.settings.sizes.max_positions;
  if (options.given(given.block_length) && given.block_length > positions) {
    throw UsageError(concat("--block-length ", given.block_length, " does not fit into the ", positions,
                            " positions of ", name));
  }
  PlainTextSettings used = plain_text_settings_of(directory);
  used.block_length =
      options.given(given.block_length) ? given.block_length : std::min(used.block_length, positions);
  if (options.given(given.document)) used.document = given.document;
  fit_threads(threads, terminal);
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

}  // namespace

Work declare_perplexity(Options& options) {
  return work_on<PerplexityRequest>(options, add_options, run_perplexity);
}

}  // namespace gloss
