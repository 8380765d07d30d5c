#pragma once

#include <span>
#include <string>

#include "base/ranks.h"
#include "cli/options.h"

namespace gloss {

/// `gloss finetune --task classify`: a model learns on to tell the labels of texts, or a new one learns it.
int finetune_classifier(Options&, Field task, std::span<const std::string> arguments, Ranks&);

}  // namespace gloss
