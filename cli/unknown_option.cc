// SPDX-License-Identifier: Apache-2.0

#include "cli/unknown_option.h"

#include <algorithm>
#include <cctype>

#include "base/enumeration.h"
#include "base/ranks.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/foreign_options.h"
#include "cli/help_command.h"

namespace gloss {
namespace {

/// The name of an option in lower case with hyphens, as those of gloss are, but without hyphens before it.
std::string plain_name(std::string option) {
  option.erase(0, option.find_first_not_of('-'));
  std::ranges::transform(option, option.begin(),
                         [](unsigned char c) { return c == '_' ? '-' : std::tolower(c); });
  return option;
}

/// `gloss COMMAND`, and the task, if it has the option `name`; empty if not. `own` is the command whose
/// present task lacks the option.
std::string holder(const Command& command, const std::string& name, bool own) {
  constexpr std::string_view kOnly = "Only with ";
  std::string first_task, found;
  for (const OptionGroup& group : describe(command).groups) {
    for (const OptionDescription& option : group.options) {
      if (option.name == "task") first_task = " --task " + option.choices.at(0);
      if (option.name != name || !found.empty()) continue;
      found = concat("gloss ", command.name);
      if (group.heading.starts_with(kOnly)) {
        found += " " + group.heading.substr(kOnly.size());
      } else if (own) {
        found += first_task;
      }
    }
  }
  return found;
}

/// Those that have the option: the present command with another task, or else other commands. None in a job
/// of several ranks, which asking a command would join again.
std::vector<std::string> holders(const std::string& name, const std::string& present_command) {
  if (launched_processes() > 1) return {};
  std::vector<std::string> found{holder(command_named(present_command), name, true)};
  if (!found[0].empty()) return found;
  for (const Command& command : commands()) {
    if (command.name != present_command) found.push_back(holder(command, name, false));
  }
  std::erase(found, "");
  return found;
}

/// "it is an option of A, B and 3 other commands"; empty without commands.
std::string option_of(std::vector<std::string> names) {
  constexpr std::size_t kNamed = 3;
  if (names.empty()) return "";
  if (names.size() > kNamed) {
    const std::string others = concat(names.size() - kNamed + 1, " other commands");
    names.resize(kNamed - 1);
    names.push_back(others);
  }
  return "it is an option of " + enumeration(names);
}

/// What follows the name of the unknown `option`.
std::string advice(const std::string& command, const std::string& option,
                   const std::vector<std::string>& known) {
  const std::string list = concat(" ('gloss ", command, " --help all' lists the options)");
  const auto meant = [&](const std::string& one) { return concat("; did you mean '", one, "'?", list); };
  const std::string name = plain_name(option), plain = "--" + name;
  if (std::ranges::count(known, plain) > 0) return meant(plain);
  const std::string foreign = answer_to_foreign_option(command, option);
  if (!foreign.empty()) return ": " + foreign;
  if (name.size() < 2) return list;  // a single letter does not show what was meant
  const std::string elsewhere = option_of(holders(name.starts_with("no-") ? name.substr(3) : name, command));
  if (!elsewhere.empty()) return concat(": ", elsewhere, list);
  const std::string similar = nearest(plain, known);
  return similar.empty() ? list : meant(similar);
}

}  // namespace

std::string unknown_option(const std::string& command, const std::string& typed,
                           const std::vector<std::string>& known) {
  const std::string option = typed.substr(0, typed.find('='));
  return concat("unknown option '", option, "'", advice(command, option, known));
}

std::string unknown_setting(const std::string& command, const std::string& name,
                            const std::vector<std::string>& known) {
  const std::string text = concat("unknown option '", name, "'");
  if (name.starts_with("no-") && std::ranges::count(known, "--" + name.substr(3)) > 0) {
    return concat(text, ": in a settings file write '", name.substr(3), " = false'");
  }
  return text + replaced(advice(command, "--" + name, known), "'--", "'");
}

}  // namespace gloss
