// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>

#include "model/networks/network_settings.h"

namespace gloss {

/// Throws UsageError, naming the setting, for a recurrent network that Marian does not have.
void expect_marian_recurrent(const NetworkSettings&);

/// The options of such a network that do not have Marian's defaults.
nlohmann::json marian_recurrent_options(const NetworkSettings&);

/// True if it is one of the type nematus; the others are of the type s2s.
bool is_nematus(const NetworkSettings&);

}  // namespace gloss
