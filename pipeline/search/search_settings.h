// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/fields.h"
#include "pipeline/examples/line_lengths.h"

namespace gloss {

/// Settings of sampling. The temperature is applied first, then `top_k`, then `top_p`.
struct SamplingSettings {
  bool sample = false;
  double temperature = 1;  ///< softmax temperature: log-probabilities are divided by it
  int top_k = 0;           ///< sample from the N most probable tokens; 0: from all
  double top_p = 1;        ///< sample from the smallest set of tokens whose total probability reaches it
  std::int64_t seed = 1;
};

/// Settings of the search for translations. Greedy search is beam search with a beam of 1.
struct SearchSettings {
  int beam_size = 5;
  double patience = 0.0;          ///< stop after patience * beam_size finished hypotheses; 0: no such limit
  double length_penalty = 1.0;    ///< score = log-probability / length ^ length_penalty
  double coverage_penalty = 0.0;  ///< + coverage_penalty * sum(log(min(attention to a source token, 1)))
  double max_length_factor = 2.0;
  int max_length_offset = kAlwaysAllowed;
  int max_length = 1024;
  int min_length = 0;
  int no_repeat_ngram = 0;
  int n_best = 1;
  SamplingSettings sampling;
  bool follow_attention = false;  ///< attention shows which source tokens a step translates
  bool keep_attention = false;    ///< hypotheses include the attention to the source
};
Fields fields_of(SearchSettings&);
Fields fields_of(SamplingSettings&);
/// Sets the members with these names, unless the user gave them. Throws InputError, with `where`, if there is
/// none of the name, or the number is impossible.
void take_defaults(const std::map<std::string, double>& defaults, const Given& given,
                   const std::string& where, SearchSettings&);
/// Throws UsageError if the settings contradict one another or do not fit the size of the vocabulary.
void check(const SearchSettings&, int vocabulary_size);

/// The default of max_length_factor for a model that learned from text of this LearnedLengths::expansion: 2,
/// or a quarter more than the expansion.
double length_factor(double expansion);
/// The maximum length of a translation, in tokens without the end token:
/// max_length_factor * source_length + max_length_offset, but at most max_length and at least min_length.
int length_limit(const SearchSettings&, int source_length);
/// The same for a translation with `demanded` required tokens: at least `demanded` + 10, up to max_length.
int length_limit(const SearchSettings&, int source_length, int demanded);
/// The score that ranks hypotheses: log_probability / length ^ length_penalty. The length includes the end
/// token.
double length_normalized(const SearchSettings&, double log_probability, int length);
/// Maximum number of hypotheses that the search of a row keeps per step; required phrases add more.
int hypotheses_of_row(const SearchSettings&);
/// True if the search of some rows needs the network's attention to the source.
bool needs_attention(const SearchSettings&);

}  // namespace gloss
