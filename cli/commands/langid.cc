// SPDX-License-Identifier: Apache-2.0

#include "base/counted.h"
#include "base/error.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/lines/line_filter.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/identification/identifier_training.h"
#include "pipeline/identification/language_identifier.h"
#include "pipeline/reading/text_files.h"

namespace gloss {
namespace {

constexpr std::size_t kMostGuesses = 5;

struct LangidSettings {
  std::string model, languages;
  bool scores = false, train = false;
  IdentifierTrainingSettings training;
  LineFilterSettings lines;
};

Fields fields_of(LangidSettings& settings) {
  return {
      {"model",
       &settings.model,
       "classifier of fastText (.bin, .ftz); default: the built-in one",
       {},
       'm',
       "FILE"},
      {"languages",
       &settings.languages,
       "languages to choose from, such as de,en; default: all",
       {},
       'l',
       "CODES"},
      {"scores", &settings.scores, "print the most probable languages with their probabilities"},
      {"train", &settings.train, "learn a classifier from lines that begin with a label"},
  };
}

std::vector<std::string> codes_of(const std::string& languages) {
  std::vector<std::string> codes;
  for (const std::string& code : split(languages, ',')) {
    if (is_blank(code)) throw UsageError("--languages expects codes separated by commas, such as de,en");
    codes.emplace_back(trimmed(code));
  }
  return codes;
}

std::string answer(const LanguageIdentifier& identifier, const std::string& line, bool scores) {
  const std::vector<LanguageIdentifier::Guess> guesses = identifier.identify(line, scores ? kMostGuesses : 1);
  std::string text = guesses.empty() ? kUnknownLanguage : guesses.front().language;
  if (!scores) return text;
  const char* separator = "\t";
  for (const LanguageIdentifier::Guess& guess : guesses) {
    text += concat(separator, guess.language, "=", fixed_text(guess.probability, 4));
    separator = " ";
  }
  return text;
}

/// The label that begins a line, with or without fastText's prefix, and the text after it; `place` names the
/// line.
LabelledLine labelled(std::string_view line, const std::string& place) {
  constexpr std::string_view kPrefix = "__label__";
  const std::size_t end = line.find_first_of(" \t");
  std::string_view label = line.substr(0, end);
  if (label.starts_with(kPrefix)) label.remove_prefix(kPrefix.size());
  if (label.empty() || end == std::string_view::npos) {
    throw InputError(concat(place, ": expected a label, then a space or tab and the text"));
  }
  return {std::string(label), std::string(line.substr(end + 1))};
}

int train(const Options& options, const LangidSettings& settings) {
  if (settings.lines.output == "-") throw UsageError("--output FILE (-o) is required: the file of the model");
  if (options.given(settings.model) || options.given(settings.languages) || settings.scores ||
      settings.lines.resume || !settings.lines.input.shard.empty()) {
    throw UsageError("--train takes neither --model, --languages, --scores, --resume nor --shard");
  }
  Terminal terminal("langid", options.quiet());
  TextFiles input(files_to_read(settings.lines.input, options), settings.lines.input.max_line_bytes);
  std::vector<LabelledLine> lines;
  for (std::string line; input.next(line);) {
    lines.push_back(labelled(line, input.place(std::ssize(lines) + 1)));
  }
  Output output(settings.lines.output);
  output.write(trained_identifier(lines, settings.training, terminal));
  output.close();
  return 0;
}

void add_options(Options& options, LangidSettings& settings) {
  options.usage("[OPTION...] [FILE...] > LANGUAGES", "name the language of each line");
  options.add("Languages", fields_of(settings));
  options.add("Files and threads", line_filter_fields(settings.lines, options));
  options.epilogue(
      "Writes the code of a language for each input line: that of ISO 639-1 if there is\n"
      "one, or the label of --model; 'und' if the line shows none, such as a number.\n"
      "With --scores, a tab and CODE=PROBABILITY of up to five languages follow.\n"
      "--train writes a model in fastText's format to --output.");
  options.common({&settings.model, &settings.languages, &settings.scores, &settings.train,
                  &settings.lines.input.input, &settings.lines.output, &settings.lines.threads});
  options.example("Name the language of each line", "gloss langid < text > languages");
  options.example("Choose between two languages", "gloss langid --languages de,en < text > languages");
}

int langid(const Options& options, LangidSettings& settings, Run& run) {
  if (settings.train) return train(options, settings);
  const std::vector<std::string> languages =
      settings.languages.empty() ? std::vector<std::string>() : codes_of(settings.languages);
  const std::unique_ptr<LanguageIdentifier> identifier =
      settings.model.empty() ? built_in_identifier(languages) : read_identifier(settings.model, languages);
  run.join(settings.lines.output, settings.lines.input.shard);
  Terminal terminal("langid", options.quiet(), run.first());
  const auto name_language = [&](const std::string& line, std::int64_t) {
    FilteredLine named;
    named.text = answer(*identifier, line, settings.scores);
    return named;
  };
  filter_lines(settings.lines, options, name_language, run, terminal);
  return 0;
}

}  // namespace

Work declare_langid(Options& options) { return run_of<LangidSettings>(options, add_options, langid); }

}  // namespace gloss
