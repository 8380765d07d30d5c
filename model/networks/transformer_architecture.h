// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// Transformers: translation models, language models, masked models and classifiers.
Architecture transformer_architecture();

}  // namespace gloss
