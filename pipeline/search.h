#pragma once

#include <vector>

#include "model/networks/network.h"
#include "pipeline/beam.h"
#include "pipeline/search_settings.h"

namespace gloss {

/// Beam search (greedy for a beam of 1) for the translations of every source row, each of which ends with the
/// end token: at least one, at most `n_best` per row, the best first. Rows do not influence each other, so a
/// row's result is the same in any batch. Knows of the network only `start`, `step` and `select`: rows whose
/// search has ended leave the batch.
std::vector<std::vector<Hypothesis>> search(const Decoder&, const TokenRows& sources, const SearchSettings&);

}  // namespace gloss
