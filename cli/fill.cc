#include <nlohmann/json.hpp>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/line_answers.h"
#include "cli/options.h"
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

struct FillCommand : LineAnswerSettings {
  TextOrJson told;
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

}  // namespace

int run_fill(std::span<const std::string> arguments) {
  FillCommand settings;
  Options options("fill", "-m DIR [OPTION...] < TEXT > TEXT",
                  "fill gaps in text line by line with a masked model");
  options.add("Files", file_fields(settings, "lines with <mask>", "text goes"));
  options.add("Output",
              {format_field(settings.told),
               {"scores", &settings.told.scores, "adds what may stand in the masks, with probabilities"},
               {"top", &settings.fill.candidates, "pieces told of each mask", {1, 1000}}});
  options.add("Speed", speed_fields(settings.fill.batches, settings.precision, settings.threads, "filled"));
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  check(settings.told);
  const TextModel model = answering_model(settings, Form::encoder);
  const Filler filler(model, settings.fill, settings.threads);
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
        output.line(settings.told.format == OutputFormat::json ? json_line(json_of(number, line))
                                                               : text_of(line, settings.told.scores));
      });
  output.close();
  terminal.note(concat(lines, " lines, ", masks, " masks filled"));
  return 0;
}

}  // namespace gloss
