// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/kernels/activation.h"
#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// The activation function that a member of config.json names. Throws InputError if gloss does not have it.
Activation activation_of(const ForeignConfig&, const std::string& member, const std::string& otherwise);
/// Ends of names of normalisations and what TensorFlow's checkpoints called them.
std::vector<std::pair<std::string, std::string>> older_norm_names();

}  // namespace gloss
