#include "pipeline/search_settings.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace gloss {

Fields fields_of(SearchSettings& settings) {
  return {
      {"beam_size", &settings.beam_size, "hypotheses kept at each step; 1 is greedy search", {1, 1000}, 'b'},
      {"length_penalty",
       &settings.length_penalty,
       "A in score = log-probability / length^A, the length in tokens with the end; 0 favours short ones",
       {0, 10}},
      {"max_length_factor",
       &settings.max_length_factor,
       "F in the longest translation tried, F * source tokens + 10 tokens",
       {0, 1000}},
      {"max_length", &settings.max_length, "no translation has more tokens", {1, 1e6}},
      {"min_length", &settings.min_length, "no translation has fewer tokens", {0, 1e6}},
      {"n_best", &settings.n_best, "translations given per line, not more than the beam size", {1, 1000}},
  };
}

void check(const SearchSettings& settings, int vocabulary_size) {
  if (settings.n_best > settings.beam_size) {
    throw UsageError(concat("--n-best ", settings.n_best, " asks for more translations than --beam-size ",
                            settings.beam_size, " keeps; raise --beam-size"));
  }
  if (settings.beam_size > vocabulary_size) {
    throw UsageError(concat("--beam-size ", settings.beam_size, " is larger than the vocabulary of ",
                            vocabulary_size, " pieces"));
  }
  if (settings.min_length > settings.max_length) {
    throw UsageError(
        concat("--min-length ", settings.min_length, " is larger than --max-length ", settings.max_length));
  }
}

int length_limit(const SearchSettings& settings, int source_length) {
  constexpr double kAlwaysAllowed = 10;
  const double limit = std::floor(settings.max_length_factor * source_length) + kAlwaysAllowed;
  return std::max(settings.min_length,
                  static_cast<int>(std::min(limit, static_cast<double>(settings.max_length))));
}

double length_normalized(const SearchSettings& settings, double log_probability, int length) {
  return log_probability / std::pow(length, settings.length_penalty);
}

}  // namespace gloss
