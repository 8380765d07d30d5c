// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// What to use in `gloss COMMAND` instead of an option of another program of the field, such as "Marian's
/// --mini-batch: ...". `option` is spelled with its hyphens. Empty if no known program has the option.
std::string answer_to_foreign_option(std::string_view command, std::string_view option);

}  // namespace gloss
