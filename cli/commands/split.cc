// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "cli/options/compute_options.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/reading/whole_lines.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/translation/split_lines.h"
#include "tokenizer/sentences/sentence_division.h"
#include "tokenizer/sentences/sentence_lines.h"
#include "tokenizer/sentences/sentence_splitter.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

struct SplitSettings {
  std::string input = "-", output = "-";
  std::vector<std::string> arguments;
  std::string language, rules;
  int max_characters = 1000;
  bool flat = false, join = false;
  std::int64_t max_line_bytes = 1 << 30;
  int threads = available_processors();
};

Fields fields_of(SplitSettings& settings) {
  return {
      {"language",
       &settings.language,
       "language of the text, such as de; default: rules of all languages",
       {},
       'l',
       "CODE"},
      {"rules", &settings.rules, "file of more abbreviations and other words", {}, 0, "FILE"},
      {"max_characters",
       &settings.max_characters,
       "divide sentences of more than N characters; 0: never",
       {0, 1e9},
       0,
       "N"},
      {"flat", &settings.flat, "leave out the empty lines"},
      {"join", &settings.join, "restore the lines from sentences"},
  };
}

/// A line as lines of sentences.
struct SplitLine : LineReport {
  std::string sentences{};
  bool ended = true;  ///< the line had a '\n'
};

/// The parts of a line that become lines.
std::vector<std::string_view> parts_of(const SentenceSplitter& splitter, std::string_view line, int most) {
  const std::vector<std::string_view> sentences = splitter.split(line);
  if (most == 0) return sentences;
  std::vector<std::string_view> parts;
  for (const std::string_view sentence : sentences) {
    for (const std::string_view part : divided(sentence, most, count_characters)) parts.push_back(part);
  }
  return parts;
}

SplitLine split_line(const SentenceSplitter& splitter, std::string_view line, const SplitSettings& settings) {
  SplitLine split;
  split.ended = line.ends_with('\n');
  if (split.ended) line.remove_suffix(1);
  if (!settings.flat || !is_blank(line)) {
    split.sentences = sentence_lines(parts_of(splitter, line, settings.max_characters));
  }
  return split;
}

void split_text(WholeLines& input, const SplitSettings& settings, Output& output, Listener& listener) {
  SentenceSplitter splitter = named_splitter(settings.language, "--language");
  if (!settings.rules.empty()) splitter.add_rules(settings.rules);
  SentenceLineWriter writer;
  StreamReport report(input, listener);
  const AnswerSteps<std::string, SplitLine> steps{
      .answer =
          [&](std::span<const std::string> lines, std::int64_t, const auto& finished) {
            std::vector<SplitLine> answers;
            for (const std::string& line : lines) answers.push_back(split_line(splitter, line, settings));
            finished(static_cast<int>(lines.size()));
            return answers;
          },
      .write =
          [&](std::int64_t, const SplitLine& line) {
            if (!settings.flat) {
              output.write(writer.next(line.sentences, line.ended));
            } else if (!line.sentences.empty()) {
              output.line(line.sentences);
            }
          },
      .limits = {.items = 1024, .bytes = 1 << 16},
      .windows_at_once = settings.threads};
  answer_stream(input, steps, output, report);
}

void join_text(WholeLines& input, Output& output) {
  SentenceLineJoiner joiner;
  for (std::string line; input.next(line);) {
    const bool ended = line.ends_with('\n');
    output.write(joiner.next(std::string_view(line).substr(0, line.size() - (ended ? 1 : 0)), ended));
    if (!input.available({})) output.flush();
  }
  output.write(joiner.finish());
}

void check(const SplitSettings& settings, const Options& options) {
  if (settings.arguments.size() > 1) {
    throw UsageError(concat("found the files ", settings.arguments[0], " and ", settings.arguments[1],
                            ", expected one; join them with 'cat'"));
  }
  if (!settings.join) return;
  if (settings.flat)
    throw UsageError("--flat and --join exclude one another: --flat leaves out what --join needs");
  if (options.given(settings.language) || options.given(settings.rules) ||
      options.given(settings.max_characters)) {
    throw UsageError("--join restores lines and takes neither --language, --rules nor --max-characters");
  }
}

void add_options(Options& options, SplitSettings& settings) {
  options.usage("[OPTION...] [FILE] > SENTENCES", "split text into sentences");
  options.add("Sentences", fields_of(settings));
  options.positional("FILE", settings.arguments);
  options.add(
      "Files and threads",
      {{"input", &settings.input, "text to split; '-' is standard input", {}, 'i', "FILE"},
       {"output", &settings.output, "file to write; '-' is standard output", {}, 'o', "FILE", kWritten},
       line_limit_field(settings.max_line_bytes, "refuse"),
       threads_field(settings.threads)});
  options.epilogue(
      "Writes each sentence as a line, and an empty line between the sentences of two\n"
      "lines of the text. --join gives the text back, byte for byte: a space between two\n"
      "sentences is left out and understood, other white space stays at the end of the\n"
      "line. Sentences may be changed in between, for example translated. Long sentences\n"
      "are divided at semicolons, commas or spaces.");
  options.common({&settings.language, &settings.rules, &settings.max_characters, &settings.flat,
                  &settings.join, &settings.input, &settings.output});
  options.example("Write one sentence per line", "gloss split --language de < text.de > sentences.de");
  options.example("Restore the text", "gloss split --join < sentences.de > text.de");
}

int run_split(const Options& options, SplitSettings& settings) {
  check(settings, options);
  Terminal terminal("split", options.quiet());
  WholeLines input(settings.arguments.empty() ? settings.input : settings.arguments.front(),
                   settings.max_line_bytes);
  Output output(settings.output);
  if (settings.join) {
    join_text(input, output);
  } else {
    fit_threads(settings.threads, terminal);
    split_text(input, settings, output, terminal);
  }
  output.close();
  return 0;
}

}  // namespace

Work declare_split(Options& options) { return work_on<SplitSettings>(options, add_options, run_split); }

}  // namespace gloss
