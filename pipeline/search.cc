#include "pipeline/search.h"

#include "pipeline/search_batch.h"

namespace gloss {

TokenRules with_rules_of(const SearchSettings& settings, TokenRules rules) {
  if (settings.no_repeat_ngram > 0) {
    rules.push_back(std::make_shared<NoRepeatedNgram>(settings.no_repeat_ngram));
  }
  return rules;
}

std::vector<std::vector<Hypothesis>> search(const Decoder& decoder, const SearchRows& rows,
                                            const SearchSettings& settings, const TokenRules& rules) {
  std::vector<std::vector<Hypothesis>> results(static_cast<std::size_t>(rows.sources.rows()));
  const TokenRules all_rules = with_rules_of(settings, rules);
  SearchBatch batch(decoder, settings, all_rules);
  SearchBatch::NewRows all;
  for (int row = 0; row < rows.sources.rows(); ++row) all.add(rows, row);
  batch.add(all);
  while (batch.rows() > 0) {
    batch.step([&](int row, std::vector<Hypothesis> found) {
      results[static_cast<std::size_t>(row)] = std::move(found);
    });
  }
  return results;
}

}  // namespace gloss
