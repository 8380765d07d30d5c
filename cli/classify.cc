#include "base/json.h"
#include "cli/commands.h"
#include "cli/line_answers.h"
#include "cli/options.h"
#include "pipeline/classification.h"

namespace gloss {
namespace {

constexpr const char* kFormats =
    "A line is a text, or two with a tab between, as the model learned it.\n"
    "Output: a line for every line, in the same order; of an empty or blank one an\n"
    "empty one. Only '\\n' ends a line.\n"
    "  by default     the most probable label\n"
    "  --scores       and behind a tab LABEL=PROBABILITY of all labels, with spaces\n"
    "                 between, the most probable first\n"
    "  --explain      and behind a tab WORD=SHARE of all words, with spaces between:\n"
    "                 how much of the last block's attention each got; the rest went\n"
    "                 to the tokens that begin and end a text\n"
    "  --format json  for each line {\"line\": from 0, \"label\", \"probabilities\":\n"
    "                 [{\"label\", \"probability\"}, ...], \"words\": [{\"word\",\n"
    "                 \"attention\"}, ...]}, words only with --explain\n"
    "'gloss evaluate --task classify' reads the lines of text. The same line gives\n"
    "the same bytes whatever the batches, neighbours and threads.\n";

struct ClassifyCommand : LineAnswerSettings {
  TextOrJson told;
  ClassificationSettings classification;
};

nlohmann::json json_of(std::int64_t number, const ClassifiedLine& line, bool explain) {
  nlohmann::json probabilities = nlohmann::json::array(), words = nlohmann::json::array();
  for (const auto& [label, probability] : line.labels) {
    probabilities.push_back({{"label", label}, {"probability", probability}});
  }
  for (const auto& [word, attention] : line.words)
    words.push_back({{"word", word}, {"attention", attention}});
  nlohmann::json told{{"line", number},
                      {"label", line.labels.empty() ? "" : line.labels.front().label},
                      {"probabilities", probabilities}};
  if (explain) told["words"] = words;
  return told;
}

std::string text_of(const ClassifiedLine& line, const ClassifyCommand& settings) {
  if (line.labels.empty()) return "";
  std::string text = line.labels.front().label;
  const char* separator = "\t";
  const auto add = [&](const std::string& name, double value) {
    text += concat(separator, name, "=", fixed_text(value, 4));
    separator = " ";
  };
  if (settings.told.scores) {
    for (const auto& [label, probability] : line.labels) add(label, probability);
  }
  separator = "\t";
  for (const auto& [word, attention] : line.words) add(word, attention);
  return text;
}

}  // namespace

int run_classify(std::span<const std::string> arguments) {
  ClassifyCommand settings;
  Options options("classify", "-m DIR [OPTION...] < TEXT > LABELS", "tell the labels of texts line by line");
  options.add("Files", file_fields(settings, "lines of text", "labels go"));
  options.add("Output",
              {format_field(settings.told),
               {"scores", &settings.told.scores, "adds the probabilities of all labels"},
               {"explain", &settings.classification.explain, "adds how much attention each word got"}});
  options.add("Speed", speed_fields(settings.classification.batches, settings.precision, settings.threads,
                                    "classified"));
  options.epilogue(kFormats);
  if (!options.parse(arguments)) return 0;
  check(settings.told);
  const TextModel model = answering_model(settings, Form::classifier);
  const Classifier classifier(model, settings.classification, settings.threads);
  Output output(settings.output);
  Terminal terminal("classify", options.quiet());
  const std::int64_t lines = answer_lines(
      settings.input, output, terminal,
      [&](const std::vector<std::string>& window, const auto& finished) {
        return classifier.classify(window, finished);
      },
      [&](std::int64_t number, const ClassifiedLine& line) {
        output.line(settings.told.format == OutputFormat::json
                        ? json_line(json_of(number, line, settings.classification.explain))
                        : text_of(line, settings));
      });
  output.close();
  terminal.note(concat(lines, " lines classified"));
  return 0;
}

}  // namespace gloss
