// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// Recurrent networks: translation models, language models and classifiers.
Architecture recurrent_architecture();

}  // namespace gloss
