// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/foreign/marian/marian_files.h"
#include "pipeline/foreign/shared/foreign_model.h"

namespace gloss {

/// Marian's recurrent networks with attention: the types s2s, amun and nematus.
ForeignModel read_marian_recurrent(const MarianFiles&);

}  // namespace gloss
