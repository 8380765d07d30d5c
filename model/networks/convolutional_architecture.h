// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// Convolutional networks: classifiers.
Architecture convolutional_architecture();

}  // namespace gloss
