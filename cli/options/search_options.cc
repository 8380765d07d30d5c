// SPDX-License-Identifier: Apache-2.0

#include "cli/options/search_options.h"

#include "base/error.h"

namespace gloss {

void check_search_options(const Options& options, const SearchSettings& search, bool scores,
                          bool scores_anyway) {
  if (scores && scores_anyway) {
    throw UsageError("--scores puts scores before plain text; --n-best and --format json have them anyway");
  }
  const SamplingSettings& sampling = search.sampling;
  if (sampling.sample && (options.given(search.beam_size) || options.given(search.patience))) {
    throw UsageError("--beam-size and --patience are for the search that --sample replaces; leave them out");
  }
  if (!sampling.sample && options.given(sampling.seed)) {
    throw UsageError("--seed has no effect without --sample: only sampling uses random numbers");
  }
}

}  // namespace gloss
