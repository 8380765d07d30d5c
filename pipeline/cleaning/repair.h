// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/cleaning/rule.h"

namespace gloss {

/// A change of a pair that makes it better.
struct Repair {
  std::string_view name;
  std::string_view meaning;  ///< what it does
  std::string_view anchor;   ///< the program that does the same; empty: of gloss
  bool (*of_side)(std::string&, const RuleSetup&, Side) = nullptr;  ///< returns true if it changed the text
  bool (*of_pair)(std::string& source, std::string& target, const RuleSetup&) = nullptr;  ///< instead
  bool needs_languages = false;
};

/// All repairs, in the order in which presets make them.
std::span<const Repair> repairs();
/// The repair of this name. Throws UsageError, which suggests a similar one.
const Repair& repair_named(const std::string& name);

}  // namespace gloss
