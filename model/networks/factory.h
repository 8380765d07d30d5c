// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "model/layers/parameters.h"
#include "model/networks/network.h"
#include "model/networks/network_settings.h"

namespace gloss {

/// Creates the network for these settings and declares its parameters, which have no values yet. Throws
/// UsageError if the settings are inconsistent.
std::unique_ptr<Network> make_network(const NetworkSettings&, Parameters&);

}  // namespace gloss
