#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/threads.h"
#include "cli/terminal.h"
#include "cli/translation_output.h"
#include "pipeline/line_answers.h"
#include "pipeline/line_windows.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How fast lines are answered, and what with. `done` says what becomes of a line, such as "filled".
Fields speed_fields(SearchBatchSettings&, Precision&, int& threads, const std::string& done);

/// What commands that answer lines with one model are told.
struct LineAnswerSettings {
  std::string model, input = "-", output = "-";
  Precision precision = Precision::automatic;
  int threads = available_processors();
};
/// Where text and model are; `lines` says what is read, `answers` what is written.
Fields file_fields(LineAnswerSettings&, const std::string& lines, const std::string& answers);
/// The model, ready for computing. Throws UsageError if none is given or it is not of this form.
TextModel answering_model(const LineAnswerSettings&, std::optional<Form>);

/// Lines of text, or of JSON, to which `scores` adds what text leaves out.
struct TextOrJson {
  OutputFormat format = OutputFormat::text;
  bool scores = false;
};
Field format_field(TextOrJson&);
/// Throws UsageError if scores are asked of JSON, which has them anyway.
void check(const TextOrJson&);

/// Answers the lines of a stream as they come: `answer` makes of a window of lines as many LineReads (or what
/// has more than these), `write` gets each with its number, counted from 0. Tells what was cut and replaced.
/// Returns how many lines there were.
template <class Answer, class Write>
std::int64_t answer_lines(const std::string& input, Output& output, Terminal& terminal, const Answer& answer,
                          const Write& write) {
  LineReader reader(input);  // after all else that may be wrong: it waits for the first bytes
  Happening invalid;
  std::int64_t number = 0, done = 0;
  const auto finished = [&](int lines) {
    done += lines;
    terminal.progress({done, 0, "lines", ""});
  };
  while (true) {
    const auto lines = answer(next_window(reader), finished);
    if (lines.empty()) break;
    for (const auto& line : lines) {
      write(number++, line);
      invalid.add(number, line.replaced);
      if (line.left_out == 0) continue;
      terminal.warn(concat(reader.name(), ":", number, ": the line has ", line.tokens,
                           " tokens; the model has no positions for the last ", line.left_out,
                           " and did not see them"));
    }
    output.flush();
  }
  if (invalid.lines > 0) {
    terminal.warn(concat(reader.name(), ": invalid UTF-8 ", invalid.where(),
                         " was read as U+FFFD; sequences: ", invalid.times));
  }
  return number;
}

}  // namespace gloss
