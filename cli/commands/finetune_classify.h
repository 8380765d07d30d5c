// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "cli/options/options.h"
#include "cli/table/commands.h"

namespace gloss {

/// Declares `gloss finetune --task classify`, which fine-tunes a model as a classifier of texts, or trains a
/// new one.
Work finetune_classifier(Options&, Field task);

/// Declares `gloss finetune --task answer`.
Work finetune_answers(Options&, Field task);

}  // namespace gloss
