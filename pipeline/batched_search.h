#pragma once

#include <functional>
#include <vector>

#include "pipeline/search.h"

namespace gloss {

/// How many rows are searched together. Changes speed and memory, never a result.
struct SearchBatchSettings {
  int batch_size = 32;
  int batch_tokens = 2048;
};
Fields fields_of(SearchBatchSettings&);

/// The numbers of rows of similar length that are searched together, the longest first: at most `batch_size`
/// of at most `batch_tokens` together (a single longer row is a batch of its own), and no more than gives
/// each of `workers` about its share.
std::vector<std::vector<int>> search_batches(const TokenRows&, const SearchBatchSettings&, int workers);

/// `search` over any number of rows, on `threads` threads that each compute alone with the shared decoder.
/// The batch of each stays full: rows whose search has ended leave it, and waiting ones come in, the longest
/// first. The results stand in the order of the rows. `finished` is told how many more rows are done, one
/// call at a time.
std::vector<std::vector<Hypothesis>> search_in_batches(const Decoder&, const SearchRows&,
                                                       const SearchSettings&, const TokenRules&,
                                                       const SearchBatchSettings&, int threads,
                                                       const std::function<void(int rows)>& finished);

}  // namespace gloss
