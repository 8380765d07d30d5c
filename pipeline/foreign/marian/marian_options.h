// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/foreign/shared/foreign_config.h"

namespace gloss {

/// Throws InputError, naming it, for a setting that changes what networks of Marian compute, if no importer
/// reads it and its value is not the usual one.
void check_marian_options(const ForeignConfig&);
/// The same for settings of transformers only.
void check_marian_transformer_options(const ForeignConfig&);
/// Notes on settings that Marian 1.12 does not have, unless they are off.
std::vector<std::string> notes_on_marian_options(const ForeignConfig&);

}  // namespace gloss
