// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/sentence_vectors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/rounding.h"

namespace gloss {

float product(std::span<const float> a, std::span<const float> b) {
  std::array<float, 8> sums{};  // a compiler can compute them at once
  std::size_t i = 0;
  for (; i + sums.size() <= a.size(); i += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += a[i + k] * b[i + k];
  }
  float sum = 0;
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  for (const float each : sums) sum += each;
  return sum;
}

void normalise(SideVectors& vectors) {
  for (std::int64_t i = 0; i < vectors.size(); ++i) {
    const float length = std::sqrt(product(vectors[i], vectors[i]));
    for (float& number : vectors[i]) number = length > 0 ? number / length : 0;
  }
}

std::vector<float> mean_of(const SideVectors& vectors) {
  std::vector<double> sums(index(vectors.width()));
  for (std::int64_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(vectors[i][k]);
  }
  std::vector<float> mean;
  const auto count = static_cast<double>(std::max<std::int64_t>(1, vectors.size()));
  for (const double sum : sums) mean.push_back(static_cast<float>(sum / count));
  return mean;
}

BlockVectors block_vectors(const SentenceVectors& vectors) {
  const auto sums_of = [](const SideVectors& side, const SentenceRange& range, std::int64_t size) {
    SideVectors blocks(ceil_div(range.size(), size), side.width());
    for (std::int64_t i = 0; i < range.size(); ++i) {
      const std::span<const float> vector = side[range.first + i];
      const float length = std::sqrt(product(vector, vector));
      for (std::size_t k = 0; k < vector.size() && length > 0; ++k) blocks[i / size][k] += vector[k] / length;
    }
    return blocks;
  };
  return [&vectors, sums_of](const Paragraph& paragraph, std::int64_t size) {
    return SentenceVectors{sums_of(vectors.source, paragraph.source, size),
                           sums_of(vectors.target, paragraph.target, size)};
  };
}

}  // namespace gloss
