// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "tests/fuzz/foreign_seeds.h"

namespace gloss {

/// Small models of other programs, one for each family, for the programs import_...
std::vector<ForeignSeed> imported_seeds();

}  // namespace gloss
