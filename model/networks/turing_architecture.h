// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// The row of Neural Turing Machines in the table of architectures.
Architecture turing_architecture();

}  // namespace gloss
