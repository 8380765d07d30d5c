// SPDX-License-Identifier: Apache-2.0

#include "base/text.h"
#include "cli/help/completion.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

constexpr const char* kZshHead = R"(#compdef gloss
# zsh completion for gloss, made from the tables of its options

_gloss_models() {
  # Offers directories of models, of trainings, and those that may hold some.
  local directory
  local -a found inside
  for directory in ${(Q)PREFIX}*(N-/); do
    inside=($directory/*(N-/[1]))
    [[ -e $directory/config.json || $#inside -gt 0 ]] && found+=("$directory")
  done
  compadd -f -q -S / -a found
  [[ $PREFIX == [~\$]* ]] && _files -/  # names that the shell replaces
}

)";

constexpr const char* kZshTail = R"(
_gloss() {
  local command=$words[2] kind=none list= arguments=none at distance
  local -a options choices commands
  _gloss_list_commands
  if ((CURRENT == 2)); then
    commands+=('help:show help' '--help:list the commands' '--version:show the version')
    _describe command commands
    return
  fi
  if [[ $command == help ]]; then
    ((CURRENT == 3)) && _describe command commands
    return
  fi
  _gloss_options $command
  if [[ $PREFIX == --*=* ]]; then
    _gloss_option $command ${PREFIX%%=*}
    compset -P 1 '*='
  elif [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  else
    # The option that the word belongs to: the last one before it.
    at=$((CURRENT - 1))
    while ((at > 2)) && [[ $words[at] != -* ]]; do ((at--)); done
    ((at > 2)) && _gloss_option $command $words[at]
    distance=$((CURRENT - at))
    if [[ $kind == none || ( $distance -gt 1 && -z $list ) ]]; then
      kind=$arguments
    fi
  fi
  case $kind in
    file) _files ;;
    directory) _files -/ ;;
    model) _gloss_models ;;
    choice) compadd -M 'm:{a-zA-Z}={A-Za-z}' -- ${(s: :)choices} ;;
    none) _describe -o option options ;;
  esac
}

_gloss "$@"
)";

std::string zsh_quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string zsh_options(const CommandDescription& command) {
  std::string text = concat("    ", command.name, ")\n      arguments=", name_of(argument_kind(command)),
                            "\n      options=(\n");
  for (const OptionDescription& option : all_options(command)) {
    const std::string help = first_clause(option);
    text += concat("        ", zsh_quoted(concat("--", option.name, ":", help)), "\n");
    if (option.letter != 0)
      text += concat("        ", zsh_quoted(concat("-", option.letter, ":", help)), "\n");
  }
  return text + "      ) ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CommandDescription>& all) {
  std::string names, values, options;
  for (const CommandDescription& command : all) {
    names += concat("    ", zsh_quoted(concat(command.name, ":", command_named(command.name).summary)), "\n");
    values += value_branch(command);
    options += zsh_options(command);
  }
  return concat(kZshHead, "_gloss_list_commands() {\n  commands=(\n", names, "  )\n}\n\n_gloss_option() {\n",
                "  # Sets what option $2 of command $1 takes.\n  case $1 in\n", values, "  esac\n}\n\n",
                "_gloss_options() {\n  # Sets the options and what the other arguments of command $1 are.\n",
                "  case $1 in\n", options, "  esac\n}\n", kZshTail);
}

}  // namespace gloss
