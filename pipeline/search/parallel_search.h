// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <vector>

#include "pipeline/search/running_searches.h"
#include "pipeline/search/search_input.h"

namespace gloss {

/// How many rows a batch contains. Affects speed and memory, never a result.
struct SearchBatchSettings {
  int batch_size = 32;
  int batch_tokens = 2048;
};
Fields fields_of(SearchBatchSettings&);

/// Splits rows into batches of similar length, the longest rows first, and returns the row numbers of each
/// batch: at most `batch_size` rows with at most `batch_tokens` tokens in total (a longer row forms its own
/// batch), and at most rows / `workers` rows, rounded up.
std::vector<std::vector<int>> search_batches(const TokenRows&, const SearchBatchSettings&, int workers);

/// Finds translations of every row by beam search (greedy for a beam of 1) or sampling: at least one and at
/// most `n_best` per row, the best first. A row's result does not depend on the other rows, the batches or
/// the threads.
///
/// `threads` threads share the decoder, and each runs a batch of searches. Batches are refilled: rows whose
/// search has ended leave, and waiting rows enter, the longest first. A batch has at most 1,024 hypotheses,
/// or those of a single row. `found` receives the hypotheses of each row as soon as its search has ended, on
/// the thread that searched; calls for different rows may run concurrently. `finished` receives the number of
/// rows that have just ended; its calls never overlap.
void search_in_batches(const Decoder&, const SearchInput&, const SearchSettings&, const TokenRules&,
                       const SearchBatchSettings&, int threads, const RunningSearches::Found& found,
                       const std::function<void(int rows)>& finished);

}  // namespace gloss
