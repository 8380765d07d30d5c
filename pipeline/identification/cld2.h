// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The sorted codes of the languages that CLD2 knows.
std::vector<std::string> cld2_languages();
/// The language of most of a line of valid UTF-8, of less than 2 GiB; empty if CLD2 is not sure.
std::string_view cld2_language(std::string line);
/// The version of CLD2 and of its tables.
std::string cld2_version();

}  // namespace gloss
