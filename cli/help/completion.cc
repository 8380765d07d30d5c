// SPDX-License-Identifier: Apache-2.0

#include "cli/help/completion.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"

namespace gloss {

namespace {

/// What --help takes: 'all' or the first word of a heading, which is enough to name it.
std::vector<std::string> help_topics(const CommandDescription& command) {
  std::vector<std::string> topics{"all"};
  for (const OptionGroup& group : command.groups) {
    const std::string word = group.heading.substr(0, group.heading.find(' '));
    if (std::ranges::count(topics, word) == 0) topics.push_back(word);
  }
  return topics;
}

}  // namespace

std::vector<OptionDescription> all_options(const CommandDescription& command) {
  std::vector<OptionDescription> options;
  std::set<std::string> names;
  for (const OptionGroup& group : command.groups) {
    for (const OptionDescription& option : group.options) {
      if (!names.insert(option.name).second) continue;
      options.push_back(option);
      if (option.name == "help") {
        options.back().kind = ValueKind::choice;
        options.back().choices = help_topics(command);
      }
      if (!option.on) continue;
      OptionDescription off = option;
      off.name = "no-" + option.name;
      off.help = "switch off --" + option.name;
      options.push_back(std::move(off));
    }
  }
  return options;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

const char* name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::none:
      return "none";
    case ValueKind::text:
      return "text";
    case ValueKind::choice:
      return "choice";
    case ValueKind::file:
      return "file";
    case ValueKind::directory:
      return "directory";
    case ValueKind::model:
      return "model";
  }
  return "text";
}

std::string first_clause(const OptionDescription& option) {
  return option.help.substr(0, option.help.find(';'));
}

std::string value_branch(const CommandDescription& command) {
  std::map<std::string, std::string> patterns;  // by what is set
  for (const OptionDescription& option : all_options(command)) {
    if (option.kind == ValueKind::none) continue;
    std::string setting = concat("kind=", name_of(option.kind), option.list ? " list=1" : "");
    if (option.kind == ValueKind::choice) setting += concat(" choices='", join(option.choices, " "), "'");
    std::string& pattern = patterns[setting];
    pattern += concat(pattern.empty() ? "" : "|", "--", option.name);
    if (option.letter != 0) pattern += concat("|-", option.letter);
  }
  std::string text = concat("    ", command.name, ")\n      case $2 in\n");
  for (const auto& [setting, pattern] : patterns) text += concat("        ", pattern, ") ", setting, " ;;\n");
  return text + "      esac ;;\n";
}

ValueKind argument_kind(const CommandDescription& command) {
  if (command.arguments.empty()) return ValueKind::none;
  return command.arguments == "DIR" ? ValueKind::model : ValueKind::file;
}

}  // namespace gloss
