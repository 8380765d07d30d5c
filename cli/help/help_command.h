// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "cli/table/command_description.h"
#include "cli/table/commands.h"

namespace gloss {

/// Everything about a command; if it has --task, also the options that only other tasks have, under headings
/// of their own.
CommandDescription describe(const Command&);

/// `gloss help [COMMAND [all|GROUP]]`; and `gloss help --generate DIR`, which writes man pages to DIR/man and
/// completion scripts to DIR/completions.
int run_help(std::span<const std::string> arguments);

}  // namespace gloss
