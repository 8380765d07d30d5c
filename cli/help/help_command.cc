// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help_command.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/output.h"
#include "cli/help/completion.h"
#include "cli/help/help_text.h"
#include "cli/help/man_page.h"

namespace gloss {
namespace {

CommandDescription described(const Command& command, std::vector<std::string> arguments) {
  arguments.push_back("--help");
  try {
    command.run(arguments);
  } catch (HelpRequest& request) {
    return std::move(request.command);
  }
  throw BrokenPromise(concat("gloss ", command.name, " does not parse options"));
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

int generate(const std::string& directory) {
  std::vector<CommandDescription> all;
  for (const Command& command : commands()) all.push_back(describe(command));
  make_writable_directory(directory + "/man");
  make_writable_directory(directory + "/completions");
  write_file(directory + "/man/gloss.1", main_man_page());
  for (const CommandDescription& command : all) {
    write_file(concat(directory, "/man/gloss-", command.name, ".1"), man_page(command));
  }
  write_file(directory + "/completions/gloss", bash_completion(all));
  write_file(directory + "/completions/_gloss", zsh_completion(all));
  write_file(directory + "/completions/gloss.fish", fish_completion(all));
  return 0;
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

int run_help(std::span<const std::string> arguments) {
  if (arguments.size() == 2 && arguments[0] == "--generate") return generate(arguments[1]);
  if (!arguments.empty() && arguments[0] == "--generate") {
    throw UsageError(
        "expected one directory: 'gloss help --generate DIR' writes man pages and completion scripts");
  }
  const std::string first = arguments.empty() ? "" : arguments[0];
  if (first.empty() || first == "all" || first == "help" || first == "--help" || first == "-h") {
    Output output;
    output.write(overview_text());
    output.close();
    return 0;
  }
  std::vector<std::string> words{"--help"};
  words.insert(words.end(), arguments.begin() + 1, arguments.end());
  return command_named(arguments[0]).run(words);
}

}  // namespace gloss
