// SPDX-License-Identifier: Apache-2.0

#include "cli/options/command_with_tasks.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/options/options.h"

namespace gloss {
namespace {

CommandDescription described(const Command& command, const std::vector<std::string>& words) {
  return Options(command, words).description();
}

const OptionDescription* find_option(const CommandDescription& command, const std::string& name) {
  for (const OptionGroup& group : command.groups) {
    const auto found = std::ranges::find(group.options, name, &OptionDescription::name);
    if (found != group.options.end()) return &*found;
  }
  return nullptr;
}

/// The options that `other` has and `command` has not.
OptionGroup options_of_task(const CommandDescription& command, const CommandDescription& other,
                            const std::string& task) {
  OptionGroup added{"Only with --task " + task, {}};
  for (const OptionGroup& group : other.groups) {
    for (const OptionDescription& option : group.options) {
      if (find_option(command, option.name) == nullptr) added.options.push_back(option);
    }
  }
  return added;
}

}  // namespace

CommandDescription describe(const Command& command) {
  CommandDescription description = described(command, {});
  const OptionDescription* const task = find_option(description, "task");
  if (task == nullptr) return description;
  std::vector<OptionGroup> of_tasks;
  for (const std::string& name : task->choices) {
    OptionGroup added = options_of_task(description, described(command, {"--task", name}), name);
    if (!added.options.empty()) of_tasks.push_back(std::move(added));
  }
  std::ranges::move(of_tasks, std::back_inserter(description.groups));
  return description;
}

}  // namespace gloss
