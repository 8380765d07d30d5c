#pragma once

#include <vector>

#include "model/networks/network.h"
#include "pipeline/hypothesis.h"
#include "pipeline/search_rows.h"
#include "pipeline/search_settings.h"
#include "pipeline/token_rules.h"

namespace gloss {

/// Beam search (greedy for a beam of 1), or sampling, for the translations of every source row: at least one,
/// at most `n_best` per row, the best first. Rows do not influence each other, so a row's result is the same
/// in any batch. Knows of the network only how it starts and steps, and of its state that rows are selected
/// and appended: rows whose search has ended leave the batch.
std::vector<std::vector<Hypothesis>> search(const Decoder&, const SearchRows&, const SearchSettings&,
                                            const TokenRules& rules = {});

/// `rules` and those that come from the settings.
TokenRules with_rules_of(const SearchSettings&, TokenRules rules);

}  // namespace gloss
