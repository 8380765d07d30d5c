#pragma once

#include "cli/options.h"
#include "pipeline/search_settings.h"

namespace gloss {

/// Throws UsageError if options of the search and of `--sample`, which replaces it, were given together, or
/// `--scores`, for plain text, with a format that has scores.
void check_search_options(const Options&, const SamplingSettings&, bool scores, bool scores_anyway);

}  // namespace gloss
