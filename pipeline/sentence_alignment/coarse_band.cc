// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/coarse_band.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/rounding.h"

namespace gloss {
namespace {

constexpr std::int64_t kFewCells = 1 << 16;   // cells of sentences that are all searched
constexpr std::int64_t kFewBlocks = 1 << 21;  // cells of blocks

/// Blocks of neighbouring sentences of a paragraph.
struct Blocks {
  SentenceVectors vectors;  ///< sums of those of the sentences
  SentenceLengths lengths;

  std::int64_t cells() const { return (vectors.source.size() + 1) * (vectors.target.size() + 1); }
};

/// Subtracts the mean from each vector: what all sentences share says nothing.
void centre(SideVectors& vectors) {
  const std::vector<float> mean = mean_of(vectors);
  for (std::int64_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t k = 0; k < mean.size(); ++k) vectors[i][k] -= mean[k];
  }
}

std::vector<std::int64_t> block_sums(const std::vector<std::int64_t>& lengths, const SentenceRange& range,
                                     std::int64_t size) {
  std::vector<std::int64_t> sums(index(ceil_div(range.size(), size)));
  for (std::int64_t i = 0; i < range.size(); ++i) sums[index(i / size)] += lengths[index(range.first + i)];
  return sums;
}

SideVectors halved(const SideVectors& vectors) {
  SideVectors sums((vectors.size() + 1) / 2, vectors.width());
  for (std::int64_t i = 0; i < vectors.size(); ++i) add_vector(sums[i / 2], vectors[i]);
  return sums;
}

Blocks halved(const Blocks& blocks) {
  const SentenceRange sources{0, blocks.vectors.source.size()}, targets{0, blocks.vectors.target.size()};
  return {{halved(blocks.vectors.source), halved(blocks.vectors.target)},
          {block_sums(blocks.lengths.source, sources, 2), block_sums(blocks.lengths.target, targets, 2)}};
}

/// How much more similar blocks are than two that are chosen at random, in standard deviations. Blocks are
/// aligned with one block, or with none.
class BlockEvidence : public BeadEvidence {
 public:
  explicit BlockEvidence(const Blocks& blocks) : lengths_(blocks.lengths), vectors_(blocks.vectors) {
    normalise(vectors_.source);
    normalise(vectors_.target);
    constexpr std::int64_t kSamples = 4096;
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < kSamples; ++i) {
      constexpr std::int64_t kStep = 7919;  // a prime: meets all pairs of blocks
      const double similar = similarity(i % vectors_.source.size(), i * kStep % vectors_.target.size());
      sum += similar;
      squares += similar * similar;
    }
    mean_ = sum / kSamples;
    deviation_ = std::sqrt(std::max(1e-6, squares / kSamples - mean_ * mean_));
  }

  void add_to(const GainRow& row) const override {
    constexpr double kUnaligned = -1.5, kSimilarByChance = 0.5, kMost = 6, kLeast = -3;
    std::ranges::fill(row.gains, -std::numeric_limits<float>::infinity());
    for (std::int64_t column = row.columns.first; column < row.columns.last; ++column) {
      row.at(column, kNoTarget) = row.at(column, kNoSource) = static_cast<float>(kUnaligned);
      if (row.source == vectors_.source.size() || column == vectors_.target.size()) continue;
      const double similar = (similarity(row.source, column) - mean_) / deviation_;
      const double alike = lengths_.gain({row.source, column, 1, 1}) / 2;
      row.at(column, kBoth) =
          static_cast<float>(std::clamp(similar, kLeast, kMost) - kSimilarByChance + std::max(kLeast, alike));
    }
  }

 private:
  double similarity(std::int64_t source, std::int64_t target) const {
    return static_cast<double>(product(vectors_.source[source], vectors_.target[target]));
  }

  static constexpr std::size_t kBoth = shape_of({.sources = 1, .targets = 1}),
                               kNoTarget = shape_of({.sources = 1}), kNoSource = shape_of({.targets = 1});

  LengthEvidence lengths_;
  SentenceVectors vectors_;
  double mean_ = 0, deviation_ = 1;
};

/// The cells near a way through blocks, each `size` of the smaller units whose cells these are.
SearchBand near_way(const Beads& way, std::int64_t size, std::int64_t sources, std::int64_t targets) {
  constexpr std::int64_t kMargin = 20;  // in smaller units
  SearchBand band{0, std::vector<SentenceRange>(index(sources) + 1, {targets + 1, 0})};
  const auto visit = [&](std::int64_t source, std::int64_t target) {
    for (std::int64_t row = std::max<std::int64_t>(0, size * source - kMargin);
         row <= std::min(sources, size * source + kMargin); ++row) {
      SentenceRange& range = band.rows[index(row)];
      range.first = std::min(range.first, std::max<std::int64_t>(0, size * target - kMargin));
      range.last = std::max(range.last, std::min(targets, size * target + kMargin) + 1);
    }
  };
  visit(0, 0);
  for (const Bead& bead : way) visit(bead.source + bead.sources, bead.target + bead.targets);
  band.rows.front().first = 0;
  band.rows.back().last = targets + 1;
  return band;
}

}  // namespace

SearchBand coarse_band(const Paragraph& paragraph, const BlockVectors& vectors,
                       const SentenceLengths& lengths, int threads) {
  constexpr std::int64_t kSentences = 4;  // of the smallest blocks
  const auto& [source, target] = paragraph;
  if ((source.size() + 1) * (target.size() + 1) <= kFewCells) return whole_band(paragraph);
  std::vector<Blocks> levels{
      {vectors(paragraph, kSentences),
       {block_sums(lengths.source, source, kSentences), block_sums(lengths.target, target, kSentences)}}};
  centre(levels.front().vectors.source);
  centre(levels.front().vectors.target);
  while (levels.back().cells() > kFewBlocks) levels.push_back(halved(levels.back()));
  SearchBand band =
      whole_band({{0, levels.back().vectors.source.size()}, {0, levels.back().vectors.target.size()}});
  while (true) {
    const BlockEvidence evidence(levels.back());
    const Beads way = best_beads(band, {&evidence}, threads);
    levels.pop_back();
    if (levels.empty()) {
      band = near_way(way, kSentences, source.size(), target.size());
      break;
    }
    const SentenceVectors& blocks = levels.back().vectors;
    band = near_way(way, 2, blocks.source.size(), blocks.target.size());
  }
  band.first = source.first;
  for (SentenceRange& row : band.rows) {
    row.first += target.first;
    row.last += target.first;
  }
  return band;
}

}  // namespace gloss
