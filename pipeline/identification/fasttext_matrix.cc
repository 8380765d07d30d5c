// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/fasttext_matrix.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// A quantised matrix of at most so many numbers is decoded when it is read.
constexpr std::int64_t kMostDecoded = 1 << 23;

float number_at(std::span<const std::byte> numbers, std::size_t i) {
  float value;
  std::memcpy(&value, numbers.data() + i * sizeof value, sizeof value);
  return value;
}

}  // namespace

ProductQuantiser::ProductQuantiser(ByteReader& reader, std::int64_t dimension) {
  const auto size = reader.number<std::int32_t>("the dimension of a quantiser");
  parts_ = reader.number<std::int32_t>("the number of parts of a quantiser");
  width_ = reader.number<std::int32_t>("the width of a part");
  const auto last = reader.number<std::int32_t>("the width of the last part");
  const bool fits = size == dimension && parts_ >= 1 && parts_ <= dimension && width_ >= 1 &&
                    width_ <= dimension && last >= 1 && last <= width_ &&
                    (parts_ - 1) * width_ + last == dimension;
  if (!fits) {
    throw InputError(concat(reader.where(), " has a quantiser of ", size, " numbers in ", parts_,
                            " parts of ", width_, ", the last of ", last, "; expected parts of ", dimension,
                            " numbers"));
  }
  const auto bytes =
      reader.take(index(dimension * kCentroids) * sizeof(float), "the centroids of a quantiser");
  centroids_.resize(index(dimension * kCentroids));
  std::memcpy(centroids_.data(), bytes.data(), bytes.size());
}

void ProductQuantiser::add(std::span<const std::byte> codes, float factor, std::span<float> sum) const {
  const std::int64_t dimension = std::ssize(sum);
  for (std::int64_t part = 0, begin = 0; part < parts_; ++part, begin += width_) {
    const std::int64_t width = std::min(width_, dimension - begin);
    const float* centroid =
        centroids_.data() + begin * kCentroids + std::to_integer<int>(codes[index(part)]) * width;
    for (std::int64_t i = 0; i < width; ++i) sum[index(begin + i)] += factor * centroid[i];
  }
}

FastTextMatrix::FastTextMatrix(ByteReader& reader, bool quantised, std::int64_t columns,
                               std::string_view what)
    : columns_(columns) {
  const bool with_norms = quantised && reader.number<std::uint8_t>(what) != 0;
  rows_ = reader.number<std::int64_t>(what);
  const auto width = reader.number<std::int64_t>(what);
  if (rows_ < 0 || width != columns) {
    throw InputError(concat(reader.where(), ": ", what, " has ", rows_, " rows of ", width,
                            " numbers, expected rows of ", columns));
  }
  const auto needed = static_cast<std::uint64_t>(rows_);
  if (!quantised) {
    // Divided, since the product may exceed 64 bits.
    if (needed > reader.left() / (static_cast<std::uint64_t>(columns) * sizeof(float))) {
      throw InputError(concat(reader.where(), " is truncated or damaged: ", what, " claims ", rows_,
                              " rows, more than its ", reader.left(), " bytes can have"));
    }
    numbers_ = reader.take(needed * static_cast<std::uint64_t>(columns) * sizeof(float), what);
    return;
  }
  read_codes(reader, what);
  if (with_norms) {
    norms_ = reader.take(needed, "the norms of rows");
    norm_quantiser_ = ProductQuantiser(reader, 1);
  }
  if (rows_ > kMostDecoded / columns_) return;
  decoded_.resize(index(rows_ * columns_));
  for (std::int64_t row = 0; row < rows_; ++row) {
    add(row, std::span(decoded_).subspan(index(row * columns_), index(columns_)));
  }
  numbers_ = std::as_bytes(std::span(decoded_));
}

void FastTextMatrix::read_codes(ByteReader& reader, std::string_view what) {
  const auto size = reader.number<std::int32_t>("the number of codes");
  codes_ = reader.take(static_cast<std::uint64_t>(std::max(size, 0)), what);
  quantiser_ = ProductQuantiser(reader, columns_);
  if (size < 0 || size / quantiser_.parts() != rows_ || size % quantiser_.parts() != 0) {
    throw InputError(concat(reader.where(), ": ", what, " has ", size, " codes for ", rows_, " rows of ",
                            quantiser_.parts(), " parts"));
  }
}

float FastTextMatrix::norm(std::int64_t row) const {
  if (norms_.empty()) return 1;
  float value = 0;
  norm_quantiser_.add(norms_.subspan(index(row), 1), 1, {&value, 1});
  return value;
}

void FastTextMatrix::add(std::int64_t row, std::span<float> sum) const {
  if (numbers_.empty()) {
    const std::size_t parts = index(quantiser_.parts());
    quantiser_.add(codes_.subspan(index(row) * parts, parts), norm(row), sum);
    return;
  }
  const auto numbers = numbers_.subspan(index(row * columns_) * sizeof(float));
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += number_at(numbers, i);
}

float FastTextMatrix::product(std::int64_t row, std::span<const float> vector) const {
  std::vector<float> decoded;
  std::span<const std::byte> numbers;
  if (numbers_.empty()) {
    decoded.resize(vector.size());
    add(row, decoded);
    numbers = std::as_bytes(std::span(decoded));
  } else {
    numbers = numbers_.subspan(index(row * columns_) * sizeof(float));
  }
  float sum = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) sum += number_at(numbers, i) * vector[i];
  return sum;
}

}  // namespace gloss
