#pragma once

#include <cstdint>

#include "base/fields.h"

namespace gloss {

/// How tokens are drawn at random. First the temperature counts, then `top_k`, then `top_p`.
struct SamplingSettings {
  bool sample = false;
  double temperature = 1;  ///< log-probabilities are divided by it
  int top_k = 0;           ///< only so many tokens, the most probable, may be drawn; 0: all
  double top_p = 1;        ///< only the fewest most probable tokens that have this probability together
  std::int64_t seed = 1;
};

/// How translations are searched for. Greedy search is a beam of size 1.
struct SearchSettings {
  int beam_size = 5;
  double patience = 0.0;          ///< beam_size times it hypotheses that ended stop the search; 0: none do
  double length_penalty = 1.0;    ///< score = log-probability / length ^ length_penalty
  double coverage_penalty = 0.0;  ///< + coverage_penalty * sum(log(min(attention to a source token, 1)))
  double max_length_factor = 2.0;
  int max_length = 1024;
  int min_length = 0;
  int no_repeat_ngram = 0;
  int n_best = 1;
  SamplingSettings sampling;
  bool keep_attention = false;  ///< hypotheses tell where the network looked
};
Fields fields_of(SearchSettings&);
Fields fields_of(SamplingSettings&);
/// Throws UsageError if the settings do not fit together or do not fit a vocabulary of that size.
void check(const SearchSettings&, int vocabulary_size);

/// The most tokens, without the end, that a translation of `source_length` tokens may have:
/// max_length_factor * source_length + 10, but not more than max_length or less than min_length.
int length_limit(const SearchSettings&, int source_length);
/// The same for a translation that must have `demanded` tokens: at least these and 10 more, up to max_length.
int length_limit(const SearchSettings&, int source_length, int demanded);
/// What hypotheses are compared by, given their log-probability and their length, the end counted.
double length_normalized(const SearchSettings&, double log_probability, int length);
/// Hypotheses that the search of a row keeps together, at most; more only for required phrases.
int hypotheses_of_row(const SearchSettings&);
/// True if the search needs to know where the network looks.
bool needs_attention(const SearchSettings&);

}  // namespace gloss
