#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/line_answers.h"
#include "cli/options.h"
#include "cli/translation_output.h"
#include "pipeline/filling.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "Each <mask> in a line is one piece that the model is to tell; where a line has\n"
    "several, each is told by itself. The piece begins a word, or goes on with the\n"
    "word before it.\n"
    "Output: a line for every line, in the same order; a line without masks stays as\n"
    "it is, an empty or blank one is empty. Only '\\n' ends a line.\n"
    "  by default     the line with the most probable pieces\n"
    "  --scores       and for each mask a tab and PIECE=PROBABILITY, with spaces\n"
    "                 between, the most probable first; ##PIECE goes on with a word\n"
    "  --format json  for each line {\"line\": from 0, \"text\", \"masks\": [[{\"piece\",\n"
    "                 \"joined\", \"probability\"}, ...], ...]}\n"
    "The same line gives the same bytes whatever the batches, neighbours and threads.\n";

struct FillCommand {
  std::string model, input = "-", output = "-";
  OutputFormat format = OutputFormat::text;
  bool scores = false;
  FillSettings fill;
  Precision precision = Precision::automatic;
  int threads = available_processors();
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

}  // namespace

int run_fill(std::span<const std::string> arguments) {
  FillCommand settings;
  Options options("fill", "-m DIR [OPTION...] < TEXT > TEXT",
                  "fill gaps in text line by line with a masked model");
  options.add("Files",
              {{"model", &settings.model, "model directory, or a training directory for its best", {}, 'm'},
               {"input", &settings.input, "lines with <mask>; '-' is standard input", {}, 'i'},
               {"output", &settings.output, "where text goes; '-' is standard output", {}, 'o'}});
  options.add("Output", {{"format", choice(settings.format, {"text", "json"}), "lines of text, or of JSON"},
                         {"scores", &settings.scores, "adds what may stand in the masks, with probabilities"},
                         {"top", &settings.fill.candidates, "pieces told of each mask", {1, 1000}}});
  options.add("Speed", speed_fields(settings.fill.batches, settings.precision, settings.threads, "filled"));
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  if (settings.scores && settings.format == OutputFormat::json) {
    throw UsageError("--scores adds to plain text; --format json has probabilities anyway");
  }
  if (settings.model.empty()) throw UsageError("which model? Give its directory with -m DIR");
  TextModels models = read_text_models({settings.model}, {}, Form::encoder);
  pack(models, settings.precision, settings.threads);
  const Filler filler(models.first(), settings.fill, settings.threads);
  Output output(settings.output);
  Terminal terminal("fill", options.quiet());
  std::int64_t masks = 0;
  const std::int64_t lines = answer_lines(
      settings.input, output, terminal,
      [&](const std::vector<std::string>& window, const auto& finished) {
        return filler.fill(window, finished);
      },
      [&](std::int64_t number, const FilledLine& line) {
        masks += std::ssize(line.masks);
        output.line(settings.format == OutputFormat::json ? json_line(json_of(number, line))
                                                          : text_of(line, settings.scores));
      });
  output.close();
  terminal.note(concat(lines, " lines, ", masks, " masks filled"));
  return 0;
}

}  // namespace gloss
