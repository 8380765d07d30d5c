// SPDX-License-Identifier: Apache-2.0

#include "base/text.h"
#include "cli/help/completion.h"
#include "cli/table/commands.h"

namespace gloss {
namespace {

constexpr const char* kBashHead = R"(# bash completion for gloss, made from the tables of its options
_gloss_offer() {
  # Offers the words of $1 that begin with $cur.
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_gloss_choices() {
  # Offers the words of $1 that begin with $cur, in any case.
  local word
  for word in $1; do
    [[ ${word,,} == "${cur,,}"* ]] && COMPREPLY+=("$word")
  done
}

_gloss_paths() {
  # Offers files (-f) or directories (-d).
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_gloss_models() {
  # Offers directories of models, of trainings, and those that may hold some.
  local directory
  compopt -o filenames 2> /dev/null
  while IFS= read -r directory; do
    if [[ -e ${directory/#\~/$HOME}/config.json || -n $(compgen -d -- "$directory/") ]]; then
      COMPREPLY+=("$directory")
    fi
  done < <(compgen -d -- "$cur")
}

)";

constexpr const char* kBashTail = R"(
_gloss() {
  local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} at options kind list choices arguments
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _gloss_offer "$_gloss_commands help --help --version"
    return
  fi
  if [[ $command == help ]]; then
    ((COMP_CWORD == 2)) && _gloss_offer "$_gloss_commands"
    return
  fi
  # The option that the word belongs to: the last one before it.
  [[ $cur == = ]] && cur=
  at=$((COMP_CWORD - 1))
  while ((at > 1)) && [[ ${COMP_WORDS[at]} != -* ]]; do ((at--)); done
  kind=none list=
  ((at > 1)) && _gloss_option "$command" "${COMP_WORDS[at]}"
  local distance=$((COMP_CWORD - at))
  [[ ${COMP_WORDS[at + 1]} == = ]] && ((COMP_CWORD > at + 1)) && ((distance--))
  if [[ $cur == -* ]]; then
    _gloss_options "$command"
    _gloss_offer "$options"
    return
  fi
  if [[ $kind == none ]] || { ((distance > 1)) && [[ -z $list ]]; }; then
    _gloss_options "$command"
    kind=$arguments
  fi
  case $kind in
    file) _gloss_paths -f ;;
    directory) _gloss_paths -d ;;
    model) _gloss_models ;;
    choice) _gloss_choices "$choices" ;;
    none) _gloss_offer "$options" ;;
  esac
}

complete -F _gloss gloss
)";

std::string bash_options(const CommandDescription& command) {
  std::string words;
  for (const OptionDescription& option : all_options(command)) {
    words += concat(words.empty() ? "" : " ", "--", option.name);
    if (option.letter != 0) words += concat(" -", option.letter);
  }
  return concat("    ", command.name, ") arguments=", name_of(argument_kind(command)), " options='", words,
                "' ;;\n");
}

}  // namespace

std::string bash_completion(const std::vector<CommandDescription>& all) {
  std::string names, values, options;
  for (const CommandDescription& command : all) {
    names += (names.empty() ? "" : " ") + command.name;
    values += value_branch(command);
    options += bash_options(command);
  }
  return concat(
      kBashHead, "_gloss_commands='", names,
      "'\n\n_gloss_option() {\n  # Sets what option $2 of command $1 takes.\n", "  case $1 in\n", values,
      "  esac\n}\n\n_gloss_options() {\n",
      "  # Sets the options and what the other arguments of command $1 are.\n  arguments=none options=\n",
      "  case $1 in\n", options, "  esac\n}\n", kBashTail);
}

}  // namespace gloss
