// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/vector_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gloss {
namespace {

constexpr std::size_t kMostJoined = kLongestSide;

/// The sums of the vectors of 1 to 4 sentences: their squared lengths, and their products with a mean.
struct Joined {
  std::array<float, kMostJoined + 1> square{}, with_mean{};
};

}  // namespace

VectorEvidence::VectorEvidence(const SentenceVectors& vectors)
    : vectors_(vectors),
      source_(side_of(vectors.source, vectors.target)),
      target_(side_of(vectors.target, vectors.source)) {}

VectorEvidence::Side VectorEvidence::side_of(const SideVectors& vectors, const SideVectors& other) {
  SideVectors directions = other;
  normalise(directions);
  const std::vector<float> mean = mean_of(directions);
  Side side;
  for (std::int64_t i = 0; i < vectors.size(); ++i) {
    side.with_mean.push_back(product(vectors[i], mean));
    for (std::int64_t next = i; next < i + kLongestSide; ++next) {
      side.with_next.push_back(next < vectors.size() ? product(vectors[i], vectors[next]) : 0);
    }
  }
  return side;
}

void VectorEvidence::add_to(const GainRow& row) const {
  constexpr float kGain = 10;  // of equal vectors, in nats a sentence
  const SideVectors &sources = vectors_.source, &targets = vectors_.target;
  const auto joined = [](const Side& side, std::int64_t first, std::int64_t size) {
    Joined sums;
    for (std::size_t count = 1; count <= kMostJoined && first + static_cast<std::int64_t>(count) <= size;
         ++count) {
      const std::size_t last = index(first) + count - 1;
      sums.with_mean[count] = sums.with_mean[count - 1] + side.with_mean[last];
      sums.square[count] = sums.square[count - 1] + side.with_next[last * kMostJoined];
      for (std::size_t i = index(first); i < last; ++i) {
        sums.square[count] += 2 * side.with_next[i * kMostJoined + last - i];
      }
    }
    return sums;
  };
  const std::size_t rows = index(std::clamp<std::int64_t>(sources.size() - row.source, 0, kLongestSide));
  const std::int64_t last = std::min(row.columns.last + kLongestSide - 1, targets.size());
  if (rows == 0 || last <= row.columns.first) return;
  const Joined source = joined(source_, row.source, sources.size());
  std::vector<std::array<float, kMostJoined>> products(index(last - row.columns.first));
  for (std::size_t column = 0; column < products.size(); ++column) {
    for (std::size_t i = 0; i < rows; ++i) {
      products[column][i] = product(sources[row.source + static_cast<std::int64_t>(i)],
                                    targets[row.columns.first + static_cast<std::int64_t>(column)]);
    }
  }
  for (std::int64_t column = row.columns.first; column < std::min(row.columns.last, last); ++column) {
    const Joined target = joined(target_, column, targets.size());
    const std::size_t most = std::min(kMostJoined, index(last - column));
    for (std::size_t shape = 0; shape < kBeadShapes.size(); ++shape) {
      const std::size_t a = index(kBeadShapes[shape].sources), b = index(kBeadShapes[shape].targets);
      if (a == 0 || b == 0 || a > rows || b > most || source.square[a] <= 0 || target.square[b] <= 0)
        continue;
      float sum = 0;
      for (std::size_t t = 0; t < b; ++t) {
        for (std::size_t s = 0; s < a; ++s) sum += products[index(column - row.columns.first) + t][s];
      }
      const float source_length = std::sqrt(source.square[a]), target_length = std::sqrt(target.square[b]);
      const float chance = (source.with_mean[a] / source_length + target.with_mean[b] / target_length) / 2;
      const float nearer = 1 - (1 - sum / source_length / target_length) / std::max(1 - chance, 1e-3f);
      row.at(column, shape) += kGain * nearer * static_cast<float>(a + b) / 2;
    }
  }
}

}  // namespace gloss
