// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/search_settings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace gloss {

Fields fields_of(SearchSettings& settings) {
  return {
      {"beam_size", &settings.beam_size, "number of hypotheses kept per step; 1 is greedy", {1, 1000}, 'b'},
      {"patience",
       &settings.patience,
       "stop after X * beam-size finished hypotheses; 0: run until no better one is possible (slower)",
       {0, 1000}},
      {"length_penalty",
       &settings.length_penalty,
       "exponent A in score = log-probability / length^A (tokens and the end token); 0 favours short ones",
       {0, 10}},
      {"coverage_penalty",
       &settings.coverage_penalty,
       "weight B in score = ... + B * sum over source tokens of log(min(attention, 1)); penalises omissions",
       {0, 100}},
      {"max_length_factor",
       &settings.max_length_factor,
       "limit translations to X * source tokens + max-length-offset; more if the text that the model learned "
       "from has longer ones",
       {0, 1000}},
      {"max_length_offset", &settings.max_length_offset, "see --max-length-factor", {0, 1e6}},
      {"max_length", &settings.max_length, "maximum number of tokens per translation", {1, 1e6}},
      {"min_length", &settings.min_length, "minimum number of tokens per translation", {0, 1e6}},
      {"no_repeat_ngram",
       &settings.no_repeat_ngram,
       "forbid that a translation repeats any N tokens in a row; 0: allow it",
       {0, 1000}},
      {"n_best", &settings.n_best, "number of translations per line, at most the beam size", {1, 1000}},
  };
}

Fields fields_of(SamplingSettings& settings) {
  return {
      {"sample", &settings.sample, "sample every token instead of searching for the best text"},
      {"temperature",
       &settings.temperature,
       "softmax temperature: below 1 more conservative, above 1 more varied",
       {0, 1000}},
      {"top_k", &settings.top_k, "sample from the N most probable tokens; 0: from all", {0, 1e9}},
      {"top_p", &settings.top_p, "sample from the smallest set of tokens with total probability X", {0, 1}},
      {"seed",
       &settings.seed,
       "seed of the random numbers; a line's numbers depend only on the seed and the line number",
       {0, 9e18}},
  };
}

namespace {

void check(const SamplingSettings& settings) {
  if (settings.temperature == 0) {
    throw UsageError(
        "--temperature is 0, expected a number above 0; for the most probable token at each step use "
        "--beam-size 1 without --sample");
  }
  if (settings.top_p == 0) {
    throw UsageError("--top-p is 0, which leaves no token to sample; expected a number above 0, up to 1");
  }
  const SamplingSettings defaults;
  const bool changed = settings.temperature != defaults.temperature || settings.top_k != defaults.top_k ||
                       settings.top_p != defaults.top_p;
  if (changed && !settings.sample) {
    throw UsageError("--temperature, --top-k and --top-p require --sample");
  }
}

}  // namespace

void check(const SearchSettings& settings, int vocabulary_size) {
  check(settings.sampling);
  if (settings.n_best > settings.beam_size && !settings.sampling.sample) {
    throw UsageError(concat("--n-best ", settings.n_best, " is larger than --beam-size ", settings.beam_size,
                            "; raise --beam-size"));
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

void take_defaults(const std::map<std::string, double>& defaults, const Given& given,
                   const std::string& where, SearchSettings& settings) {
  SearchSettings changed = settings;
  const Fields fields = fields_of(settings), of_changed = fields_of(changed);
  nlohmann::json values = fields_to_json(of_changed);
  for (const auto& [name, value] : defaults) {
    const bool whole =
        values.contains(name) && values.at(name).is_number_integer() && value == std::floor(value);
    values[name] = whole ? nlohmann::json(static_cast<std::int64_t>(value)) : nlohmann::json(value);
  }
  fields_from_json(of_changed, values, where);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!given(address_of(fields[i]))) copy_value(of_changed[i], fields[i]);
  }
}

double length_factor(double expansion) {
  constexpr double kReserve = 1.25, kMost = 1000;
  return std::clamp(kReserve * expansion, SearchSettings().max_length_factor, kMost);
}

int length_limit(const SearchSettings& settings, int source_length) {
  const double limit = std::floor(settings.max_length_factor * source_length) + settings.max_length_offset;
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
  return settings.keep_attention || settings.follow_attention || settings.coverage_penalty > 0;
}

}  // namespace gloss
