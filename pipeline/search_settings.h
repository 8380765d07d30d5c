#pragma once

#include "base/fields.h"

namespace gloss {

/// How translations are searched for. Greedy search is a beam of size 1.
struct SearchSettings {
  int beam_size = 5;
  double length_penalty = 1.0;  ///< score = log-probability / length ^ length_penalty
  double max_length_factor = 2.0;
  int max_length = 1024;
  int min_length = 0;
  int n_best = 1;
};
Fields fields_of(SearchSettings&);
/// Throws UsageError if the settings do not fit together or do not fit a vocabulary of that size.
void check(const SearchSettings&, int vocabulary_size);

/// The most tokens, without the end, that a translation of `source_length` tokens may have:
/// max_length_factor * source_length + 10, but never more than max_length or less than min_length.
int length_limit(const SearchSettings&, int source_length);
/// What hypotheses are compared by, given their log-probability and their length, the end counted.
double length_normalized(const SearchSettings&, double log_probability, int length);

}  // namespace gloss
