// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/networks/factory.h"

namespace gloss {

/// The network chosen by the user, given the preset for its sizes.
using NetworkOfPreset = std::function<NetworkSettings(Preset)>;

/// The preset for a training text of `lines` lines or pairs: tiny for fewer than 200,000, small for fewer
/// than 2,000,000, otherwise base. On two cores, an epoch then takes minutes to a few hours.
Preset preset_for(std::int64_t lines);

/// The preset whose network agrees best with the settings stored in a checkpoint ("training" in config.json).
Preset stored_preset(const NetworkOfPreset&, const nlohmann::json& stored);

/// A note on the chosen preset and the reason; empty if the user gave all sizes and the preset has no effect.
std::string preset_text(const NetworkOfPreset&, std::int64_t lines);

}  // namespace gloss
