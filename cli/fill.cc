#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/filling.h"
#include "pipeline/line_windows.h"

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

void fill_all(const Filler& filler, const FillCommand& settings, Output& output, Terminal& terminal) {
  LineReader reader(settings.input);
  Happening invalid;
  std::int64_t first = 0, done = 0, masks = 0;
  while (true) {
    const std::vector<FilledLine> lines = filler.fill(next_window(reader), [&](int count) {
      done += count;
      terminal.progress({done, 0, "lines", ""});
    });
    if (lines.empty()) break;
    for (const FilledLine& line : lines) {
      output.line(settings.format == OutputFormat::json ? json_line(json_of(first, line))
                                                        : text_of(line, settings.scores));
      ++first;
      masks += std::ssize(line.masks);
      invalid.add(first, line.replaced);
      if (line.left_out == 0) continue;
      terminal.warn(concat(reader.name(), ":", first, ": the line has ", line.tokens,
                           " tokens; the model has no positions for the last ", line.left_out,
                           " and did not see them"));
    }
    output.flush();
  }
  output.close();
  if (invalid.lines > 0) {
    terminal.warn(concat(reader.name(), ": invalid UTF-8 ", invalid.where(),
                         " was read as U+FFFD; sequences: ", invalid.times));
  }
  terminal.note(concat(first, " lines, ", masks, " masks filled"));
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
  Fields speed = fields_of(settings.fill.batches);
  for (Field& field : speed) {
    field.help = field.name == "batch_size"
                     ? "lines filled together, at most"
                     : "their tokens together, at most; the output does not depend on either";
  }
  speed.push_back({"precision", translation_precision_choice(settings.precision),
                   "what is computed with; auto: as the model is stored (gloss quantize)"});
  speed.push_back({"threads", &settings.threads, "lines are filled on so many threads", {1, 1024}, 'j'});
  options.add("Speed", speed);
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
  fill_all(filler, settings, output, terminal);
  return 0;
}

}  // namespace gloss
