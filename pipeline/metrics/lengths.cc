// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/lengths.h"

#include <algorithm>

#include "pipeline/metrics/buckets.h"
#include "pipeline/metrics/tokenizers.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

std::vector<std::size_t> reference_lengths(const TestSet& test, const BleuSettings& settings) {
  const auto tokenizer = make_tokenizer(settings.tokenize);
  std::string text;
  std::vector<std::string_view> words;
  std::vector<std::size_t> lengths;
  for (const std::vector<std::string>& references : test.references) {
    words.clear();
    if (!references.empty()) {
      const std::string& line = references.front();
      tokenizer->tokenize(settings.lowercase ? lower_case(line) : line, text, words);
    }
    lengths.push_back(words.size());
  }
  return lengths;
}

Bounds bounds_of(std::vector<std::size_t> lengths, int groups) {
  if (groups == 0) return {0, 10, 20, 30, 40, 50};
  std::ranges::sort(lengths);
  Bounds bounds{0};
  const auto count = static_cast<std::ptrdiff_t>(lengths.size());
  for (int group = 1; group < groups && count > 0; ++group) {
    // The boundary between two lengths that is closest to equal sizes.
    const auto wanted = lengths.begin() + count * group / groups;
    const auto [before, after] = std::equal_range(lengths.begin(), lengths.end(), *wanted);
    const auto nearest = after - wanted < wanted - before ? after : before;
    if (nearest != lengths.begin() && nearest != lengths.end() && *nearest > bounds.back()) {
      bounds.push_back(*nearest);
    }
  }
  return bounds;
}

}  // namespace

LengthScores scores_by_length(const TestSet& test, std::span<const std::unique_ptr<Metric>> metrics,
                              const Evaluation& evaluation, const BleuSettings& settings, int groups) {
  LengthScores result{reference_lengths(test, settings), {}};
  const Bounds bounds = bounds_of(result.of_segments, groups);
  std::vector<LengthBucket> buckets(bounds.size());
  std::vector<std::size_t> buckets_of_segments;
  for (const std::size_t length : result.of_segments) {
    buckets_of_segments.push_back(bucket_of(bounds, length));
    ++buckets[buckets_of_segments.back()].segments;
  }
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    buckets[b].name = bucket_name(bounds, b);
    buckets[b].scores.resize(metrics.size());
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (const Figures& figures : evaluation.figures[m]) {
      const Figures grouped = figures.grouped(buckets_of_segments);
      for (std::size_t b = 0; b < grouped.segments(); ++b) {
        buckets[b].scores[m].push_back(metrics[m]->score(grouped.row(b)));
      }
    }
  }
  std::erase_if(buckets, [](const LengthBucket& bucket) { return bucket.segments == 0; });
  result.buckets = std::move(buckets);
  return result;
}

}  // namespace gloss
