// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "cli/options/options.h"

namespace gloss {

/// `gloss evaluate --task lm`: language models on text. `task`: the option that chose it.
int evaluate_perplexity(Field task, std::span<const std::string> arguments);

}  // namespace gloss
