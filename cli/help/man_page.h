// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "cli/table/command_description.h"

namespace gloss {

/// The manual page gloss-COMMAND(1) in the man macro language.
std::string man_page(const CommandDescription&);
/// The manual page gloss(1), which lists the commands.
std::string main_man_page();

}  // namespace gloss
