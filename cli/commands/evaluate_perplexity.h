// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "cli/options/options.h"
#include "cli/table/commands.h"

namespace gloss {

/// Declares `gloss evaluate --task lm`, which computes the perplexity of language models on text.
Work declare_perplexity(Options&);

}  // namespace gloss
