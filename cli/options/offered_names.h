// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "cli/table/command_description.h"

namespace gloss {

/// Adds the names that a shell offers for the value of a command's option, which belongs to the field
/// `field`, if there is a list of them.
void offer_names(std::string_view command, std::string_view field, OptionDescription&);

}  // namespace gloss
