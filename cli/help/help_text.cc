// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help_text.h"

#include <algorithm>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/text.h"
#include "cli/help/notes.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

constexpr std::size_t kHelpColumns = 80, kWidestOption = 28, kGap = 2;

/// "  -m, --model DIR..."
std::string spelled(const OptionDescription& option) {
  std::string text = option.letter != 0 ? concat("  -", option.letter, ", ") : "      ";
  text += long_spelling(option);
  return option.value.empty() ? text : text + " " + option.value;
}

std::string default_note(const OptionDescription& option) {
  return option.default_text.empty() ? "" : concat(" (default ", option.default_text, ")");
}

/// The help in one line of this width if possible: the first clause with the default, else without, else the
/// beginning of the clause.
std::string brief(const OptionDescription& option, std::size_t width) {
  const std::string clause = option.help.substr(0, option.help.find(';'));
  const std::string whole = clause + default_note(option);
  if (whole.size() <= width) return whole;
  if (clause.size() <= width) return clause;
  std::size_t end = clause.size();
  for (const char* const boundary : {", ", ": ", " ("}) end = std::min(end, clause.find(boundary));
  return clause.substr(0, end);
}

/// Lines of this text, of which all but the first are indented.
std::string hanging(const std::string& first, const std::string& text, std::size_t indent) {
  std::string lines = first;
  lines.resize(indent, ' ');
  bool begun = false;
  for (const std::string& line : wrapped(text, kHelpColumns - indent)) {
    lines += (begun ? std::string(indent, ' ') : "") + line + "\n";
    begun = true;
  }
  return lines;
}

/// One option: its spelling and, from column `start`, its help.
std::string entry(const OptionDescription& option, const std::string& help, std::size_t start) {
  const std::string spelling = spelled(option);
  const bool fits = spelling.size() + kGap <= start;
  return fits ? hanging(spelling, help, start) : spelling + "\n" + hanging("", help, start);
}

/// An option whose choices, if they are too wide for its spelling, are in its help.
OptionDescription with_narrow_value(OptionDescription option) {
  const bool named = option.value.find('|') == std::string::npos;
  if (spelled(option).size() <= kWidestOption || named || option.choices.empty()) return option;
  option.value = "NAME";
  option.help =
      concat(option.help.substr(0, option.help.find_first_of(";:")), ": ", join(option.choices, ", "));
  return option;
}

/// The column where the help of these options starts.
std::size_t start_column(const std::vector<OptionDescription>& options) {
  std::size_t widest = 0;
  for (const OptionDescription& option : options) {
    const std::size_t width = spelled(option).size();
    if (width <= kWidestOption) widest = std::max(widest, width);
  }
  return std::max<std::size_t>(widest, 16) + kGap;
}

std::string group_text(const OptionGroup& group) {
  std::string text = group.heading + ":\n";
  const std::size_t start = start_column(group.options);
  for (const OptionDescription& option : group.options) {
    text += entry(option, with_default(option), start);
  }
  return text;
}

std::string head(const CommandDescription& command) {
  return concat("gloss ", command.name, ": ", command.summary, "\n\nUsage: gloss ", command.name, " ",
                command.usage, "\n");
}

std::string examples_text(const CommandDescription& command) {
  std::string text;
  for (const Example& example : command.examples) {
    text += concat("  # ", example.purpose, "\n  ", example.command, "\n");
  }
  return text.empty() ? "" : "\nExamples:\n" + text;
}

std::vector<std::string> headings(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const OptionGroup& group : command.groups) names.push_back(group.heading);
  return names;
}

std::string short_help(const CommandDescription& command) {
  std::vector<OptionDescription> options;
  for (const OptionGroup& group : command.groups) {
    for (const OptionDescription& option : group.options) {
      if (option.common) options.push_back(with_narrow_value(option));
    }
  }
  std::string text = head(command) + examples_text(command) + "\nOptions:\n";
  const std::size_t start = start_column(options);
  for (const OptionDescription& option : options) {
    text += entry(option, brief(option, kHelpColumns - start), start);
  }
  text += "\n";
  const std::string more = "All options: --help all. One group: --help " + join(headings(command), ", ");
  for (const std::string& line : wrapped(more, kHelpColumns)) text += line + "\n";
  return text;
}

std::string help_notes(const std::string& notes) {
  const std::vector<Note> all = parse_notes(notes);
  std::size_t widest = 0;
  for (const Note& note : all) widest = std::max(widest, note.term.size());
  std::string text;
  for (const Note& note : all) {
    if (note.separate) text += "\n";
    text += note.term.empty() ? hanging("", note.text, 0) : hanging("  " + note.term, note.text, widest + 4);
  }
  return text;
}

std::string whole_help(const CommandDescription& command) {
  std::string text = head(command) + examples_text(command);
  for (const OptionGroup& group : command.groups) text += "\n" + group_text(group);
  return text + help_notes(command.notes);
}

/// The groups with this heading, or else those whose headings begin so.
std::vector<const OptionGroup*> groups_named(const CommandDescription& command, const std::string& topic) {
  const std::string wanted = lower_case(topic);
  std::vector<const OptionGroup*> same, similar;
  for (const OptionGroup& group : command.groups) {
    const std::string heading = lower_case(group.heading);
    if (heading == wanted) same.push_back(&group);
    if (heading.starts_with(wanted)) similar.push_back(&group);
  }
  return same.empty() ? similar : same;
}

/// The heading that a mistyped topic most likely means; empty if none is close.
std::string nearest_heading(const CommandDescription& command, const std::string& topic) {
  std::vector<std::string> known;
  for (const std::string& heading : headings(command)) known.push_back(lower_case(heading));
  const std::string meant = nearest(lower_case(topic), known);
  for (const OptionGroup& group : command.groups) {
    if (lower_case(group.heading) == meant) return group.heading;
  }
  return "";
}

}  // namespace

std::string long_spelling(const OptionDescription& option) {
  return concat("--", option.on ? "[no-]" : "", option.name);
}

std::string with_default(const OptionDescription& option) { return option.help + default_note(option); }

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string& word : split(text, ' ')) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (line.size() + 1 + word.size() <= width) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string help_text(const CommandDescription& command, const std::string& topic) {
  if (topic.empty()) return short_help(command);
  if (lower_case(topic) == "all") return whole_help(command);
  const std::vector<const OptionGroup*> groups = groups_named(command, topic);
  if (groups.empty() && std::ranges::count(commands(), topic, &Command::name) > 0) {
    throw UsageError(concat("the help of one command at a time: 'gloss help ", command.name,
                            "' or 'gloss help ", topic, "'"));
  }
  if (groups.empty()) {
    const std::string meant = nearest_heading(command, topic);
    throw UsageError(concat("no group of options is named '", topic, "'; expected 'all' or one of ",
                            join(headings(command), ", "),
                            meant.empty() ? "" : concat("; did you mean '", meant, "'?")));
  }
  std::string text;
  for (const OptionGroup* group : groups) text += (text.empty() ? "" : "\n") + group_text(*group);
  return text;
}

std::string overview_text() {
  std::string text =
      "gloss: from raw text to scored translation on ordinary CPUs\n\n"
      "Usage: gloss COMMAND [OPTION...]\n";
  std::string_view group;
  for (const Command& command : commands()) {
    if (command.group != group) text += concat("\n", command.group, "\n");
    group = command.group;
    text += concat("  ", command.name, std::string(12 - std::min<std::size_t>(11, command.name.size()), ' '),
                   command.summary, "\n");
  }
  return text +
         "\n'gloss COMMAND --help' shows how to use a command, 'gloss COMMAND --help all' all\n"
         "of its options, 'gloss --version' the version and how it was built. Results go\n"
         "to standard output, messages to standard error.\n";
}

}  // namespace gloss
