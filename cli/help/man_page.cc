// SPDX-License-Identifier: Apache-2.0

#include "cli/help/man_page.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "base/text.h"
#include "cli/help/help_text.h"
#include "cli/help/notes.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

/// Text in which nothing is a request or an escape of roff; hyphens can be copied as such.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      default:
        out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

/// Text that is filled, in source lines of moderate length.
std::string filled(const std::string& text) {
  constexpr std::size_t kColumns = 60;  // escapes make them longer
  std::string out;
  for (const std::string& line : wrapped(text, kColumns)) {
    if (!line.empty()) out += escaped(line) + "\n";
  }
  return out;
}

std::string section(std::string_view name) { return concat(".SH ", name, "\n"); }

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// The date of the build in UTC; that of SOURCE_DATE_EPOCH if it is set, so that a build can be repeated.
std::string build_date() {
  std::time_t seconds = std::time(nullptr);
  if (const char* const given = std::getenv("SOURCE_DATE_EPOCH")) parse_number(given, seconds);
  std::tm date{};
  gmtime_r(&seconds, &date);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", &date);
  return text.data();
}

std::string title(const std::string& page) {
  return concat(".TH ", upper_case(escaped(page)), " 1 \"", build_date(),
                "\" \"gloss " GLOSS_VERSION "\" \"gloss manual\"\n");
}

std::string option_text(const OptionDescription& option) {
  std::string text = ".TP\n";
  if (option.letter != 0) text += concat("\\fB\\-", option.letter, "\\fR, ");
  text += "\\fB" + escaped(long_spelling(option)) + "\\fR";
  if (!option.value.empty()) text += " \\fI" + escaped(option.value) + "\\fR";
  return text + "\n" + filled(with_default(option));
}

std::string man_notes(const std::string& notes) {
  std::string text;
  for (const Note& note : parse_notes(notes)) {
    text += note.term.empty() ? ".PP\n" : concat(".TP\n", escaped(note.term), "\n");
    text += filled(note.text);
  }
  return text;
}

std::string examples_section(const std::vector<Example>& examples) {
  std::string text = section("EXAMPLES");
  for (const Example& example : examples) {
    text += concat(".TP\n", escaped(example.purpose), ":\n.EX\n", escaped(example.command), "\n.EE\n");
  }
  return text;
}

std::string exit_status() {
  const std::pair<const char*, const char*> rows[] = {
      {"0", "Success, also if the reader of standard output went away."},
      {"1", "Failure while running, such as a full disk, or output that cannot be written."},
      {"2", "Wrong usage: an unknown option, or options that exclude each other; also in a settings file."},
      {"3", "Bad input: a file that is missing, damaged or of the wrong kind, such as a directory."},
      {"130, 131, 143", "Ended by Ctrl-C, by Ctrl-\\ or by SIGTERM: 128 and the number of the signal."}};
  std::string text = section("EXIT STATUS");
  for (const auto& [status, meaning] : rows) text += concat(".TP\n", status, "\n", filled(meaning));
  return text;
}

std::string reference(std::string_view page) { return concat("\\fB", escaped(page), "\\fR(1)"); }

/// gloss(1) and the other commands of the same group.
std::string see_also(const CommandDescription& command) {
  const std::string_view group = command_named(command.name).group;
  std::string text = section("SEE ALSO") + reference("gloss");
  for (const Command& other : commands()) {
    if (other.group == group && other.name != command.name) {
      text += ",\n" + reference(concat("gloss-", other.name));
    }
  }
  return text + "\n";
}

}  // namespace

std::string man_page(const CommandDescription& command) {
  std::string text = title("gloss-" + command.name);
  text += section("NAME") + concat("gloss\\-", command.name, " \\- ", escaped(command.summary), "\n");
  text += section("SYNOPSIS") + concat("\\fBgloss ", command.name, "\\fR ", escaped(command.usage), "\n");
  std::string summary = command.summary;
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  text += section("DESCRIPTION") + filled(summary + ".") + man_notes(command.notes);
  text += section("OPTIONS");
  for (const OptionGroup& group : command.groups) {
    text += concat(".SS ", escaped(group.heading), "\n");
    for (const OptionDescription& option : group.options) text += option_text(option);
  }
  return text + examples_section(command.examples) + exit_status() + see_also(command);
}

std::string main_man_page() {
  std::string text = title("gloss");
  text += section("NAME") + "gloss \\- from raw text to scored translation on ordinary CPUs\n";
  text +=
      section("SYNOPSIS") +
      "\\fBgloss\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.br\n"
      "\\fBgloss help\\fR [\\fICOMMAND\\fR [\\fBall\\fR|\\fIGROUP\\fR]]\n.br\n\\fBgloss \\-\\-version\\fR\n";
  text += section("DESCRIPTION") +
          filled(
              "gloss learns subword vocabularies, trains transformers and recurrent networks on parallel or "
              "plain text, translates, and scores the result. Each stage is a command that reads and writes "
              "plain files or works as a filter in a pipe. Results go to standard output, messages to "
              "standard error.");
  text += section("COMMANDS");
  std::string_view group;
  for (const Command& command : commands()) {
    if (command.group != group) text += concat(".SS ", command.group, "\n");
    group = command.group;
    text += concat(".TP\n", reference(concat("gloss-", command.name)), "\n",
                   filled(std::string(command.summary)));
  }
  text +=
      section("OPTIONS") +
      ".TP\n\\fB\\-\\-version\\fR\nShow the version, the libraries, the instruction sets in use, and how\n"
      "gloss was built.\n"
      ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the list of commands.\n";
  text += examples_section({{"List the options of a command that most people need", "gloss train --help"},
                            {"List all of them", "gloss train --help all"},
                            {"Translate a file", "gloss translate -m model < text.en > text.de"}});
  text += exit_status() + section("SEE ALSO");
  bool first = true;
  for (const Command& command : commands()) {
    text += (first ? "" : ",\n") + reference(concat("gloss-", command.name));
    first = false;
  }
  return text + "\n";
}

}  // namespace gloss
