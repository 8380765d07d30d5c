// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/json.h"
#include "cli/lines/answer_options.h"
#include "cli/lines/run.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/tasks/filler.h"

namespace gloss {
namespace {

constexpr const char* kFillFormats =
    "Each <mask> in a line is replaced by one piece; masks of a line are predicted\n"
    "independently. A piece starts a word or continues the word before it.\n"
    "Output: one line for each input line, in the same order; a line without masks is\n"
    "unchanged, an empty or blank one is empty. Only '\\n' ends a line.\n"
    "  by default     the line with the most probable pieces\n"
    "  --scores       then for each mask a tab and PIECE=PROBABILITY, separated by\n"
    "                 spaces, the most probable first; ##PIECE continues a word\n"
    "  --format json  an object per line: {\"line\": from 0, \"text\", \"masks\":\n"
    "                 [[{\"piece\", \"joined\", \"probability\"}, ...], ...]}\n"
    "The result for a line never depends on batch size, other lines or threads.\n";

struct FillCommand : AnswerSettings {
  TextOrJson form;
  FillSettings fill;
};

nlohmann::json json_of(std::int64_t number, const FilledLine& line) {
  nlohmann::json masks = nlohmann::json::array();
  for (const std::vector<MaskCandidate>& mask : line.masks) {
    nlohmann::json candidates = nlohmann::json::array();
    for (const MaskCandidate& candidate : mask) {
      candidates.push_back(
          {{"piece", candidate.text}, {"joined", candidate.joined}, {"probability", candidate.probability}});
    }
    masks.push_back(std::move(candidates));
  }
  return {{"line", number}, {"text", line.text}, {"masks", masks}};
}

std::string text_of(const FilledLine& line, bool scores) {
  std::string text = line.text;
  if (!scores) return text;
  for (const std::vector<MaskCandidate>& mask : line.masks) {
    const char* separator = "\t";
    for (const MaskCandidate& candidate : mask) {
      text += concat(separator, candidate.joined ? "##" : "", candidate.text, "=",
                     fixed_text(candidate.probability, 4));
      separator = " ";
    }
  }
  return text;
}

void add_options(Options& options, FillCommand& settings) {
  options.usage("-m DIR [OPTION...] [FILE...] > TEXT", "fill <mask> gaps in text with a masked model");
  options.add("Files", file_fields(settings, options, "text with <mask>", "filled text"));
  options.add("Output",
              {format_field(settings.form),
               {"scores", &settings.form.scores, "add the candidates for each mask, with probabilities"},
               {"top", &settings.fill.candidates, "number of candidates for each mask", {1, 1000}}});
  options.add("Speed", speed_fields(settings.fill.batches, settings.precision, settings.threads, "filled"));
  options.common({&settings.model, &settings.input.input, &settings.output, &settings.form.format,
                  &settings.form.scores, &settings.fill.candidates, &settings.threads});
  options.example("Fill a gap", "echo 'The cat <mask> on the mat.' | gloss fill -m model");
  options.example("Show the three most probable pieces", "gloss fill -m model --scores --top 3 < text");
  options.epilogue(kFillFormats);
}

int fill(const Options& options, FillCommand& settings, Run& run) {
  check(settings.form);
  TextFiles input(files_to_read(settings.input, options), settings.input.max_line_bytes,
                  run.join(settings.output, settings.input.shard));
  Terminal terminal("fill", options.quiet(), run.first());
  const TextModel model = answering_model(settings, Form::encoder, terminal);
  fit_threads(settings.threads, terminal);
  const Filler filler(model, settings.fill, settings.threads);
  run.open(options, {settings.output, settings.resume, &input.shard()}, {&model, 1});
  Output& output = run.output();
  StreamReport report(input, terminal);
  std::int64_t masks = 0;
  const AnswerSteps<std::string, FilledLine> steps{
      .answer = [&](const auto& lines, std::int64_t,
                    const auto& finished) { return filler.fill(lines, finished); },
      .write =
          [&](std::int64_t number, const FilledLine& line) {
            masks += std::ssize(line.masks);
            output.line(settings.form.format == OutputFormat::json ? json_line(json_of(number, line))
                                                                   : text_of(line, settings.form.scores));
          }};
  answer_stream(input, steps, run.answers(), report);
  run.close(report, {&masks});
  terminal.note(concat(counted(report.items(), "line"), run.circumstances(), ", ", counted(masks, "mask"),
                       " filled in ", fixed_text(report.seconds(), 1), " s", report.summary()));
  return 0;
}

}  // namespace

Work declare_fill(Options& options) { return run_of<FillCommand>(options, add_options, fill); }

}  // namespace gloss
