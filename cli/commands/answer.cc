// SPDX-License-Identifier: Apache-2.0

#include <optional>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "cli/commands/answer_output.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/options/output_conflicts.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/pages/alignment_page.h"
#include "pipeline/reading/story_reader.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"

namespace gloss {
namespace {

constexpr const char* kAnswerFormats =
    "A line is a story, whose sentences are separated by |, a tab and a question. A\n"
    "third column, the right answer, is ignored. Or the file has the format of the\n"
    "bAbI tasks; then its questions are answered.\n"
    "Output: one line for each question, in the same order; a blank line gives an\n"
    "empty one.\n"
    "  by default     the most probable answer\n"
    "  --scores       then a tab and ANSWER=PROBABILITY of all answers, separated by\n"
    "                 spaces, the most probable first\n"
    "  --explain      then for each hop a tab and NUMBER=WEIGHT of the sentences that\n"
    "                 it read, from 1, the most read first; weights below 0.01 are\n"
    "                 left out\n"
    "  --format json  an object per question: {\"line\": from 0, \"answer\",\n"
    "                 \"probabilities\": [{\"answer\", \"probability\"}, ...]}, with\n"
    "                 --explain also {\"question\", \"sentences\": [...], \"hops\":\n"
    "                 [[weight of each sentence], ...]}\n"
    "  --format map   the weights, drawn with characters\n"
    "'gloss evaluate --task answer' compares the text output with the right answers.\n";

struct AnswerCommand : AnswerSettings {
  StoryOutput form;
  ClassificationSettings classification;
  std::string html, title = "Stories";
};

Fields output_fields(AnswerCommand& settings) {
  Fields fields = fields_of(settings.form, settings.classification);
  append(fields, {{"html",
                   &settings.html,
                   "write an HTML page that shows which sentences each hop read, for the first 200 questions",
                   {},
                   0,
                   "FILE",
                   kWritten},
                  {"title", &settings.title, "title of the HTML page", {}, 0, "TITLE"}});
  return fields;
}

void check(const AnswerCommand& settings) {
  check(settings.form, settings.classification);
  expect_named_file("html", settings.html);
}

void add_options(Options& options, AnswerCommand& settings) {
  options.usage("-m DIR [OPTION...] [FILE...] > ANSWERS", "answer questions about stories");
  options.add("Files", file_fields(settings, options, "stories with questions", "answers"));
  options.add("Output", output_fields(settings));
  options.add("Speed", speed_fields(settings.classification.batches, settings.precision, settings.threads,
                                    "answered"));
  options.common({&settings.model, &settings.input.input, &settings.output, &settings.form.format,
                  &settings.form.scores, &settings.classification.explain, &settings.html,
                  &settings.threads});
  options.example("Answer the question in each line", "gloss answer -m model < stories.tsv > answers");
  options.example("Show which sentences each hop read",
                  "gloss answer -m model --explain --format map < stories.tsv");
  options.epilogue(kAnswerFormats);
}

int answer(const Options& options, AnswerCommand& settings, Run& run) {
  constexpr std::size_t kPageQuestions = 200;
  check(settings);
  const bool explains = settings.classification.explain;
  if (!settings.html.empty()) settings.classification.explain = true;
  TextFiles lines(files_to_read(settings.input, options), settings.input.max_line_bytes,
                  run.join(settings.output, settings.input.shard));
  StoryReader input(lines, StoryReader::Part::question, !lines.shard().shard().whole());
  Terminal terminal("answer", options.quiet(), run.first());
  const TextModel model = answering_model(settings, Form::classifier, terminal);
  expect_text(model, settings.model);
  fit_threads(settings.threads, terminal);
  const StoryAnswerer answerer(model, settings.classification, settings.threads);
  std::optional<AtomicFile> page;  // opened before the long work: it may be that it cannot be written
  if (!settings.html.empty()) page.emplace(settings.html);
  run.open(options,
           {.path = settings.output,
            .resume = settings.resume,
            .shard = &lines.shard(),
            .whole_because = page ? "the page of --html shows the first questions; leave it out" : ""},
           {&model, 1});
  std::vector<AlignedPair> first_questions;
  StreamReport report(input, terminal);
  const AnswerSteps<std::string, StoryAnswer> steps{
      .answer = [&](const auto& questions, std::int64_t,
                    const auto& finished) { return answerer.answer(questions, finished); },
      .write =
          [&](std::int64_t number, const StoryAnswer& found) {
            write_answer(number, found, settings.form, explains, run.output());
            if (page && first_questions.size() < kPageQuestions) first_questions.push_back(hops_of(found));
          },
      .limits = {.items = 1024, .bytes = 1 << 20}};
  answer_stream(input, steps, run.answers(), report);
  run.close(report);
  terminal.note(concat(counted(report.items(), "question"), run.circumstances(), " answered in ",
                       fixed_text(report.seconds(), 1), " s", report.summary()));
  if (!page) return 0;
  page->write(alignment_page(first_questions, settings.title, {0, 0}, kStoriesIntroduction));
  page->commit();
  terminal.note("wrote " + settings.html);
  return 0;
}

}  // namespace

Work declare_answer(Options& options) { return run_of<AnswerCommand>(options, add_options, answer); }

}  // namespace gloss
