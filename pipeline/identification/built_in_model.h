// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>

namespace gloss {

/// The file languages.ftz, a classifier in fastText's format, which is part of the program
/// (docs/identification.md says how it was trained).
std::span<const std::byte> built_in_model_bytes();

}  // namespace gloss
