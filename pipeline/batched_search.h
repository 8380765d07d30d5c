#pragma once

#include <functional>
#include <vector>

#include "pipeline/search.h"
#include "pipeline/search_batch.h"

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
/// first. A batch has 1,024 hypotheses at most, but for a single row. `found` gets the hypotheses of each row
/// as soon as its search has ended, from the thread that searched: several calls at a time, each for another
/// row. `finished` is told how many more rows are done, one call at a time.
void search_in_batches(const Decoder&, const SearchRows&, const SearchSettings&, const TokenRules&,
                       const SearchBatchSettings&, int threads, const SearchBatch::Found& found,
                       const std::function<void(int rows)>& finished);

}  // namespace gloss
