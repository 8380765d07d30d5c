// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "cli/options/options.h"
#include "pipeline/search/search_settings.h"

namespace gloss {

/// Throws UsageError if options of the search and of `--sample`, which replaces it, were given together, or
/// `--scores`, for plain text, with a format that has scores.
void check_search_options(const Options&, const SearchSettings&, bool scores, bool scores_anyway);

}  // namespace gloss
