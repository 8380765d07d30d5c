#include "pipeline/search_settings.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

constexpr int kAlwaysAllowed = 10;  // tokens, however short the source

}  // namespace

Fields fields_of(SearchSettings& settings) {
  return {
      {"beam_size", &settings.beam_size, "hypotheses kept at each step; 1 is greedy search", {1, 1000}, 'b'},
      {"patience",
       &settings.patience,
       "stops once X times the beam size of hypotheses ended; 0: only when no other can win, which is slower",
       {0, 1000}},
      {"length_penalty",
       &settings.length_penalty,
       "A in score = log-probability / length^A, the length in tokens with the end; 0 favours short ones",
       {0, 10}},
      {"coverage_penalty",
       &settings.coverage_penalty,
       "B in score = ... + B * sum over source tokens of log(min(attention, 1)); punishes what was left out",
       {0, 100}},
      {"max_length_factor",
       &settings.max_length_factor,
       "F in the longest translation tried, F * source tokens + 10 tokens",
       {0, 1000}},
      {"max_length", &settings.max_length, "no translation has more tokens", {1, 1e6}},
      {"min_length", &settings.min_length, "no translation has fewer tokens", {0, 1e6}},
      {"no_repeat_ngram",
       &settings.no_repeat_ngram,
       "no N tokens in a row come twice in a translation; 0: they may",
       {0, 1000}},
      {"n_best", &settings.n_best, "translations given per line, not more than the beam size", {1, 1000}},
  };
}

Fields fields_of(SamplingSettings& settings) {
  return {
      {"sample", &settings.sample, "draws every token at random instead of searching for the best"},
      {"temperature",
       &settings.temperature,
       "log-probabilities are divided by it: below 1 bolder, above 1 more varied",
       {0, 1000}},
      {"top_k", &settings.top_k, "draws from the N most probable tokens; 0: from all", {0, 1e9}},
      {"top_p", &settings.top_p, "draws from the fewest tokens that are together so probable", {0, 1}},
      {"seed",
       &settings.seed,
       "of the random numbers, which depend on it and the line's number alone",
       {0, 9e18}},
  };
}

namespace {

void check(const SamplingSettings& settings) {
  if (settings.temperature == 0) {
    throw UsageError(
        "--temperature 0 cannot be divided by; for the most probable token at each step take "
        "--beam-size 1 without --sample");
  }
  if (settings.top_p == 0) {
    throw UsageError("--top-p 0 leaves no token to draw; expected a number above 0, up to 1");
  }
  const SamplingSettings defaults;
  const bool changed = settings.temperature != defaults.temperature || settings.top_k != defaults.top_k ||
                       settings.top_p != defaults.top_p;
  if (changed && !settings.sample) {
    throw UsageError("--temperature, --top-k and --top-p say how tokens are drawn; add --sample");
  }
}

}  // namespace

void check(const SearchSettings& settings, int vocabulary_size) {
  check(settings.sampling);
  if (settings.n_best > settings.beam_size && !settings.sampling.sample) {
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
  const double limit = std::floor(settings.max_length_factor * source_length) + kAlwaysAllowed;
  return std::max(settings.min_length,
                  static_cast<int>(std::min(limit, static_cast<double>(settings.max_length))));
}

int length_limit(const SearchSettings& settings, int source_length, int demanded) {
  const int limit = length_limit(settings, source_length);
  if (demanded == 0) return limit;
  return std::max(limit, std::min(demanded + kAlwaysAllowed, settings.max_length));
}

double length_normalized(const SearchSettings& settings, double log_probability, int length) {
  return log_probability / std::pow(length, settings.length_penalty);
}

int hypotheses_of_row(const SearchSettings& settings) {
  return settings.sampling.sample ? settings.n_best : settings.beam_size;
}

bool needs_attention(const SearchSettings& settings) {
  return settings.keep_attention || settings.coverage_penalty > 0;
}

}  // namespace gloss
