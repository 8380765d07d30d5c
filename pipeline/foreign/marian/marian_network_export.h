// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "model/networks/network_settings.h"

namespace gloss {

/// For messages.
inline const std::string kMarian = "Marian";

/// Throws UsageError, naming the setting, for a network that Marian does not have.
void expect_marian_network(const NetworkSettings&);

/// The options that Marian stores with the weights of such a network.
nlohmann::json options_for_marian(const NetworkSettings&);

}  // namespace gloss
