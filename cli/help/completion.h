// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/table/command_description.h"

namespace gloss {

/// Scripts that complete commands, options, choices, files, directories and model directories. Each is one
/// file, to be installed under the name that the shell looks for.
std::string bash_completion(const std::vector<CommandDescription>&);
std::string zsh_completion(const std::vector<CommandDescription>&);
std::string fish_completion(const std::vector<CommandDescription>&);

/// The options of all groups, each name once, and --no-NAME for switches that are on by default. --help has
/// the choice of its topics.
std::vector<OptionDescription> all_options(const CommandDescription&);
/// `text` with every `from` replaced by `to`.
std::string replaced(std::string text, std::string_view from, std::string_view to);
/// The name of a kind in the scripts, such as "file".
const char* name_of(ValueKind);
/// The first clause of an option's help.
std::string first_clause(const OptionDescription&);
/// For bash and zsh, a branch of `case COMMAND in`: sets `kind`, `list` and `choices` by what option $2 of
/// the command takes.
std::string value_branch(const CommandDescription&);
/// What to complete for the arguments that are not options; none if the command takes none.
ValueKind argument_kind(const CommandDescription&);

}  // namespace gloss
