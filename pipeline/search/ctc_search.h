// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/networks/network.h"
#include "pipeline/search/hypothesis.h"
#include "pipeline/search/parallel_search.h"
#include "pipeline/search/token_rules.h"

namespace gloss {

/// What the labels of a row's vectors may be.
struct CtcAlphabet {
  TokenId blank, end;  ///< targets have neither
  TokenRules rules;
};

/// The texts of a row whose vectors were labelled (connectionist temporal classification, see ops_ctc.h), at
/// least one and at most `n_best`, the best first. Scores are log-probabilities. For a beam of 1: the text of
/// the most probable label of each vector, with the probability of this path. Otherwise prefix beam search
/// (Graves et al. 2006, Hannun et al. 2014): after each vector it keeps the `beam_size` most probable
/// beginnings of texts, whose probabilities are sums over their paths. Of the settings, it follows beam_size,
/// n_best and max_length. log_p [vectors, vocabulary].
std::vector<Hypothesis> ctc_search(std::span<const double> log_p, std::size_t vocabulary, const CtcAlphabet&,
                                   const SearchSettings&);

/// The same for each of the rows; calls `found` and `finished` as search_in_batches does.
void ctc_search_in_batches(const VectorLabeller&, const TokenRows& rows, const CtcAlphabet&,
                           const SearchSettings&, const SearchBatchSettings&, int threads,
                           const RunningSearches::Found& found,
                           const std::function<void(int rows)>& finished);

}  // namespace gloss
