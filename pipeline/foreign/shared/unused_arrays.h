// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// Throws InputError, naming `path`, if the model has arrays that no parameter is made of: each of them may
/// change what the network computes. `settings`: what describes the network, for the message.
void expect_all_used(const ForeignModel&, const std::string& path,
                     const std::string& settings = "the settings");

}  // namespace gloss
