// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cleaning/repair.h"
#include "pipeline/cleaning/rule.h"

namespace gloss {

/// A rule with the values that it keeps.
struct Check {
  const Rule* rule;
  Bounds bounds;
  std::string text{};  ///< for rules that look for a text of the user
};

/// The steps for each pair: first the repairs, then the checks, of which the first that fails rejects it.
struct CleaningPlan {
  std::vector<const Repair*> repairs;
  std::vector<Check> checks;
};

/// A plan that follows another program, or the default.
struct CleaningPreset {
  std::string_view name;
  std::string_view meaning;
  CleaningPlan (*plan)();
};

std::span<const CleaningPreset> cleaning_presets();
/// Throws UsageError, which suggests a similar name.
const CleaningPreset& cleaning_preset_named(const std::string& name);

/// The plan of a settings file: {"repairs": [NAME, ...], "rules": [{"rule": NAME, "at_least": X, "above": X,
/// "at_most": X, "below": X, "text": T}, ...]}. A rule without bounds has its own. Throws InputError, which
/// names file and member.
CleaningPlan read_plan(const std::string& path);
/// The settings of a plan.
nlohmann::json json_of(const CleaningPlan&);

}  // namespace gloss
