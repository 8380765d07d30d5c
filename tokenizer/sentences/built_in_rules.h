// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string_view>

namespace gloss {

/// The text of a file of rules that belongs to the program (`rules/LANGUAGE.txt`).
struct BuiltInRules {
  std::string_view language;  ///< "" for the rules of all languages (`rules/all.txt`)
  std::string_view text;
};
/// Those of all languages. The build writes them into the program.
std::span<const BuiltInRules> built_in_rules();

}  // namespace gloss
