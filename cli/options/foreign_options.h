// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <string_view>

namespace gloss {

/// What to use in `gloss COMMAND` instead of an option of another program of the field, such as "it is an
/// option of Marian; use --batch-tokens N". `option` is spelled with its hyphens, or with one instead of two.
/// Empty if there is no answer.
std::string answer_to_foreign_option(std::string_view command, std::string_view option);
/// The answers of `command` to options that are not only those of one program, by option: others may be
/// mistyped ones.
std::map<std::string, std::string> answers_to_common_options(std::string_view command);

}  // namespace gloss
