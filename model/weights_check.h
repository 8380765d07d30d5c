// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/formats/safetensors.h"

namespace gloss {

/// Reads all weights once. Throws InputError naming a tensor with values that are not finite; returns the
/// Checksum of the file.
std::string check_weights(const SafetensorsFile&);

}  // namespace gloss
