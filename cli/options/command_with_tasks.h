// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "cli/table/command_description.h"
#include "cli/table/commands.h"

namespace gloss {

/// Describes a command without running it; if it has --task, also the options that only other tasks have,
/// under headings of their own.
CommandDescription describe(const Command&);

}  // namespace gloss
