// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "cli/table/command_description.h"

namespace gloss {

/// The help of a command, at most 80 columns wide. `topic` is empty for usage, examples and common options in
/// at most 25 lines, "all" for every option and the notes, or the heading of one group or its beginning, in
/// any case. Throws UsageError, which lists the groups, if there is no such group.
std::string help_text(const CommandDescription&, const std::string& topic);

/// The long spelling of an option, such as "--beam-size" or "--[no-]valid-bleu".
std::string long_spelling(const OptionDescription&);
/// The help of an option, and its default in brackets.
std::string with_default(const OptionDescription&);

/// The list of commands.
std::string overview_text();

/// `text` in lines of at most `width` columns, broken at spaces.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace gloss
