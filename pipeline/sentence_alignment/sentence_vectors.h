// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/index.h"
#include "pipeline/sentence_alignment/bead.h"

namespace gloss {

/// A vector for each sentence of a side, at first zeros.
class SideVectors {
 public:
  SideVectors() = default;
  SideVectors(std::int64_t sentences, int width)
      : sentences_(sentences), width_(width), numbers_(index(sentences) * index(width)) {}
  std::int64_t size() const { return sentences_; }
  int width() const { return width_; }
  std::span<float> operator[](std::int64_t sentence) {
    return std::span(numbers_).subspan(index(sentence) * index(width_), index(width_));
  }
  std::span<const float> operator[](std::int64_t sentence) const {
    return std::span(numbers_).subspan(index(sentence) * index(width_), index(width_));
  }

 private:
  std::int64_t sentences_ = 0;
  int width_ = 0;
  std::vector<float> numbers_;
};

/// Vectors of the sentences of both sides; those of translations are similar.
struct SentenceVectors {
  SideVectors source, target;
};

/// Adds a vector to another one.
inline void add_vector(std::span<float> sum, std::span<const float> vector) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += vector[i];
}
/// The scalar product; its sum has a fixed order.
float product(std::span<const float>, std::span<const float>);
/// Divides each vector by its length; zeros stay.
void normalise(SideVectors&);
/// The mean of the vectors.
std::vector<float> mean_of(const SideVectors&);

/// Gives sums of the vectors of neighbouring sentences: those of a paragraph in blocks of `size` sentences.
using BlockVectors = std::function<SentenceVectors(const Paragraph&, std::int64_t size)>;
/// Sums the directions of these vectors, which must outlive the result.
BlockVectors block_vectors(const SentenceVectors&);

}  // namespace gloss
