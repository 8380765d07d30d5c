// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

#include "base/fields.h"
#include "model/networks/network_settings.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/training/loop_settings.h"

namespace gloss {

/// The network chosen by the user, given the preset for its sizes.
using NetworkOfPreset = std::function<NetworkSettings(Preset)>;

/// What a training may choose itself once it knows its text.
struct Planning {
  std::set<std::string> given;     ///< names of the settings that the user gave: they are never chosen
  NetworkOfPreset network_of{};    ///< null: the network is not chosen
  std::optional<Preset> preset{};  ///< that the user gave
  int ranks = 1;                   ///< processes, of which each has batches of its own
  bool starts = false;             ///< from trained weights, whose network and vocabulary are not chosen
};

/// The settings that a plan chooses, in their order in config.json.
Fields planned_fields_of(NetworkSettings&, TokenizerSettings&, LoopSettings&);
/// Takes the planned settings and the sizes of the network, unless they were given, from those that a
/// checkpoint stores ("training" in config.json).
void take_stored_plan(const Planning&, const nlohmann::json& stored, NetworkSettings&, TokenizerSettings&,
                      LoopSettings&);
/// Sets the fields whose names are in `values`, except those given.
void take_values(const nlohmann::json& values, const Fields& fields, const std::set<std::string>& given);

}  // namespace gloss
