// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/cleaning/rule.h"
#include "pipeline/identification/pair_languages.h"

namespace gloss {

/// Decides for both sides together whether they are in their languages. The last decision of a thread is
/// kept, since a repair and a rule ask about the same pair.
PairLanguages decided_languages(const RuleSetup&, std::string_view source, std::string_view target);

}  // namespace gloss
