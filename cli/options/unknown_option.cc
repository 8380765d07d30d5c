// SPDX-License-Identifier: Apache-2.0

#include "cli/options/unknown_option.h"

#include <algorithm>
#include <map>

#include "base/enumeration.h"
#include "base/shown.h"
#include "base/text.h"
#include "cli/help/completion.h"
#include "cli/options/command_with_tasks.h"
#include "cli/options/foreign_options.h"
#include "cli/options/plain_name.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

const std::string kNo = "no-";  // before the name of a switch: switches it off
constexpr const char* kTakesAValue = " takes a value and cannot be switched off";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

/// True if `name` is that of the option, or switches it off.
bool names(const std::string& name, const OptionDescription& option) {
  return name == option.name || (option.kind == ValueKind::none && name == kNo + option.name);
}

/// `gloss COMMAND`, and the task, if it has the option `name`; empty if not. `own` is the command whose
/// present task lacks the option.
std::string holder(const Command& command, const std::string& name, bool own) {
  constexpr std::string_view kOnly = "Only with ";
  std::string first_task, found;
  for (const OptionGroup& group : describe(command).groups) {
    for (const OptionDescription& option : group.options) {
      if (option.name == "task") first_task = " --task " + option.choices.at(0);
      if (!names(name, option) || !found.empty()) continue;
      const bool of_a_task = group.heading.starts_with(kOnly);
      const std::string task = of_a_task ? " " + group.heading.substr(kOnly.size()) : own ? first_task : "";
      // The present command itself would be no answer.
      if (!own || !task.empty()) found = concat("gloss ", command.name, task);
    }
  }
  return found;
}

/// Those that have the option: the present command with another task, or else other commands.
std::vector<std::string> holders(const std::string& name, const std::string& present_command) {
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
std::string advice(const std::string& command, const std::string& option, const KnownOptions& known) {
  const std::string list = concat(" ('gloss ", command, " --help all' lists the options)");
  const auto meant = [&](const std::string& one) { return concat("; did you mean ", shown(one), "?", list); };
  const std::string name = plain_name(option), plain = "--" + name;
  if (contains(known.spellings, plain)) return meant(plain);
  if (name.starts_with(kNo)) {
    const std::string positive = name.substr(kNo.size());
    if (contains(known.switches, positive)) return meant(plain);
    if (contains(known.spellings, "--" + positive)) return concat(": --", positive, kTakesAValue, list);
  }
  const std::string foreign = answer_to_foreign_option(command, option);
  if (!foreign.empty()) return ": " + foreign;
  if (name.size() < 2) return list;  // a single letter does not show what was meant
  const std::string elsewhere = option_of(holders(name, command));
  if (!elsewhere.empty()) return concat(": ", elsewhere, list);
  const std::map<std::string, std::string> common = answers_to_common_options(command);
  std::vector<std::string> candidates = known.spellings;
  for (const auto& [other, answer] : common) {  // a name that gloss does not have must be nearly identical
    if (edit_distance(plain, other) <= 1) candidates.push_back(other);
  }
  const std::string similar = nearest(plain, candidates);
  if (similar.empty()) return list;
  if (contains(known.spellings, similar)) return meant(similar);
  return concat(": ", common.at(similar), list);
}

}  // namespace

std::string unknown_option(const std::string& command, const std::string& typed, const KnownOptions& known) {
  const std::string option = typed.substr(0, typed.find('='));
  return concat("unknown option '", option, "'", advice(command, option, known));
}

std::string unknown_setting(const std::string& command, const std::string& name, const KnownOptions& known) {
  const std::string text = concat("unknown option ", shown(name));
  const std::string positive = name.starts_with(kNo) ? name.substr(kNo.size()) : "";
  if (contains(known.switches, positive)) {
    return concat(text, ": in a settings file write '", positive, " = false'");
  }
  if (contains(known.spellings, "--" + positive)) return concat(text, ": ", positive, kTakesAValue);
  return text + replaced(advice(command, "--" + name, known), "'--", "'");
}

}  // namespace gloss
