// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/index.h"
#include "pipeline/search/hypothesis.h"
#include "pipeline/search/search_settings.h"
#include "tests/support/table_decoder.h"

namespace gloss {

inline double log_probability(const TableDecoder& decoder, const TableDecoder::Row& source,
                              const TableDecoder::Row& prefix, TokenId next) {
  double sum = 0;
  const std::vector<float> scores = decoder.scores(source, prefix);
  for (const float score : scores) sum += std::exp(static_cast<double>(score));
  return scores[index(next)] - std::log(sum);
}

/// The log-probability of a complete translation, including the end token.
inline double log_probability(const TableDecoder& decoder, const TableDecoder::Row& source,
                              TableDecoder::Row tokens) {
  tokens.push_back(decoder.end());
  TableDecoder::Row prefix{decoder.begin()};
  double sum = 0;
  for (const TokenId token : tokens) {
    sum += log_probability(decoder, source, prefix, token);
    prefix.push_back(token);
  }
  return sum;
}

/// The score of a complete translation with length and coverage penalty.
inline double score_of(const TableDecoder& decoder, const TableDecoder::Row& source,
                       const TableDecoder::Row& tokens, const SearchSettings& settings) {
  const auto length = static_cast<double>(tokens.size() + 1);
  double score = log_probability(decoder, source, tokens) / std::pow(length, settings.length_penalty);
  if (settings.coverage_penalty == 0) return score;
  std::vector<double> sums(source.size());
  TableDecoder::Row prefix{decoder.begin()};
  for (std::size_t step = 0; step <= tokens.size(); ++step) {
    const std::vector<float> weights = decoder.attention(source, prefix);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(weights[i]);
    if (step < tokens.size()) prefix.push_back(tokens[step]);
  }
  for (std::size_t i = 0; i + 1 < sums.size(); ++i) {
    score += settings.coverage_penalty * std::log(std::min(sums[i], 1.0));
  }
  return score;
}

/// All translations of at most `limit` tokens for which `allowed` returns true, with scores, best first.
inline std::vector<Hypothesis> all_translations(
    const TableDecoder& decoder, const TableDecoder::Row& source, const SearchSettings& settings, int limit,
    const std::function<bool(const TableDecoder::Row&)>& allowed = [](const auto&) { return true; }) {
  std::vector<Hypothesis> found;
  const std::function<void(const TableDecoder::Row&)> visit = [&](const TableDecoder::Row& tokens) {
    const int length = static_cast<int>(tokens.size());
    if (length >= settings.min_length && allowed(tokens)) {
      found.push_back(
          {tokens, log_probability(decoder, source, tokens), score_of(decoder, source, tokens, settings)});
    }
    if (length == limit) return;
    for (TokenId token = 0; token < decoder.vocabulary_size(); ++token) {
      if (token == decoder.end()) continue;
      TableDecoder::Row longer = tokens;
      longer.push_back(token);
      visit(longer);
    }
  };
  visit({});
  std::stable_sort(found.begin(), found.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return found;
}

inline TableDecoder::Row row_of(const TokenRows& rows, int row) {
  return {rows.row(row).begin(), rows.row(row).end()};
}

}  // namespace gloss
