// SPDX-License-Identifier: Apache-2.0

#include "base/text.h"
#include "cli/help/completion.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

constexpr const char* kFishHead = R"(# fish completion for gloss, made from the tables of its options
function __gloss_no_command
    test (count (commandline -opc)) -eq 1
end

function __gloss_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and test $words[2] = $argv[1]
end

# True if the last option of command $argv[1] is one of the others.
function __gloss_list
    set -l words (commandline -opc)
    test (count $words) -gt 2; and test $words[2] = $argv[1]; or return 1
    set -l options (string match -- '-*' $words)
    test (count $options) -gt 0; and contains -- $options[-1] $argv[2..]
end

# Directories of models, of trainings, and those that may hold some.
function __gloss_models
    for directory in (__fish_complete_directories (commandline -ct) '')
        set -l path (string replace -r '^~' $HOME (string trim -r -c / (string split -f 1 \t $directory)))
        set -l inside $path/*/
        if test -e $path/config.json; or test (count $inside) -gt 0
            echo $directory
        end
    end
end

complete -c gloss -f
complete -c gloss -n __gloss_no_command -l version -d 'show the version'
complete -c gloss -n __gloss_no_command -l help -s h -d 'list the commands'
complete -c gloss -n __gloss_no_command -a help -d 'show help'
)";

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

/// How the values of an option, or the arguments of a command, are completed.
std::string values_of(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::none:
      return "";
    case ValueKind::text:
      return " -x";
    case ValueKind::choice:
      return " -x -a " + fish_quoted(join(choices, " "));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::directory:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::model:
      return " -x -a '(__gloss_models)'";
  }
  return "";
}

/// How further words are completed: arguments, and values of lists after the first.
std::string words_of(ValueKind kind, const std::vector<std::string>& choices = {}) {
  if (kind == ValueKind::file) return " -F";
  if (kind == ValueKind::choice) return " -a " + fish_quoted(join(choices, " "));
  return kind == ValueKind::model ? " -a '(__gloss_models)'" : "";
}

std::string command_text(const CommandDescription& command) {
  const std::string when = concat("complete -c gloss -n '__gloss_command ", command.name, "'");
  std::string text = concat("\ncomplete -c gloss -n __gloss_no_command -a ", command.name, " -d ",
                            fish_quoted(std::string(command_named(command.name).summary)), "\n",
                            "complete -c gloss -n '__gloss_command help' -a ", command.name, "\n");
  const std::string arguments = words_of(argument_kind(command));
  if (!arguments.empty()) text += when + arguments + "\n";
  for (const OptionDescription& option : all_options(command)) {
    text += concat(when, " -l ", option.name);
    if (option.letter != 0) text += concat(" -s ", option.letter);
    text += concat(values_of(option.kind, option.choices), " -d ", fish_quoted(first_clause(option)), "\n");
    const std::string further = option.list ? words_of(option.kind, option.choices) : "";
    if (further.empty()) continue;
    text += concat("complete -c gloss -n '__gloss_list ", command.name, " --", option.name);
    if (option.letter != 0) text += concat(" -", option.letter);
    text += concat("'", further, "\n");
  }
  return text;
}

}  // namespace

std::string fish_completion(const std::vector<CommandDescription>& all) {
  std::string text = kFishHead;
  for (const CommandDescription& command : all) text += command_text(command);
  return text;
}

}  // namespace gloss
