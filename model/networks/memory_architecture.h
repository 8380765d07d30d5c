// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// The row of memory networks in the table of architectures.
Architecture memory_architecture();

}  // namespace gloss
