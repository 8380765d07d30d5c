// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "base/ranks.h"
#include "cli/options/options.h"

namespace gloss {

/// `gloss finetune --task classify`: fine-tunes a model as a classifier of texts, or trains a new one.
int finetune_classifier(Options&, Field task, std::span<const std::string> arguments, Ranks&);

/// Runs `gloss finetune --task answer`.
int finetune_answers(Options&, Field task, std::span<const std::string> arguments, Ranks&);

}  // namespace gloss
