// SPDX-License-Identifier: Apache-2.0
#include "pipeline/identification/fasttext_matrix.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// A quantised matrix with no more numbers than this is decoded when it is read.
constexpr std::int64_t kMostDecoded = 1 << 23;

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
    add_codes(row, std::span(decoded_).subspan(index(row * columns_), index(columns_)));
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

void FastTextMatrix::add_codes(std::int64_t row, std::span<float> sum) const {
  float norm = 1;
  if (!norms_.empty()) {
    norm = 0;
    norm_quantiser_.add(norms_.subspan(index(row), 1), 1, {&norm, 1});
  }
  const std::size_t parts = index(quantiser_.parts());
  quantiser_.add(codes_.subspan(index(row) * parts, parts), norm, sum);
}

void FastTextMatrix::add(std::span<const std::int64_t> rows, std::span<float> sum) const {
  if (numbers_.empty()) {
    for (const std::int64_t row : rows) add_codes(row, sum);
    return;
  }
  constexpr std::size_t kBlock = 16;  // numbers that fit into registers
  for (std::size_t begin = 0; begin < sum.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, sum.size() - begin);
    std::array<float, kBlock> block{};
    std::copy_n(sum.begin() + static_cast<std::ptrdiff_t>(begin), size, block.begin());
    for (const std::int64_t row : rows) {
      const std::byte* numbers = numbers_.data() + (index(row * columns_) + begin) * sizeof(float);
      std::array<float, kBlock> added{};
      if (size == kBlock) {
        std::memcpy(added.data(), numbers, sizeof added);
      } else {
        std::memcpy(added.data(), numbers, size * sizeof(float));
      }
      for (std::size_t i = 0; i < kBlock; ++i) block[i] += added[i];
    }
    std::copy_n(block.begin(), size, sum.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

std::vector<float> FastTextMatrix::columns(std::int64_t rows) const {
  std::vector<float> columns(index(rows * columns_)), row(index(columns_));
  for (std::int64_t i = 0; i < rows; ++i) {
    std::ranges::fill(row, 0.0F);
    add({&i, 1}, row);
    for (std::size_t column = 0; column < row.size(); ++column)
      columns[column * index(rows) + index(i)] = row[column];
  }
  return columns;
}

float FastTextMatrix::product(std::int64_t row, std::span<const float> vector) const {
  std::vector<float> numbers(vector.size());
  add({&row, 1}, numbers);
  float sum = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) sum += numbers[i] * vector[i];
  return sum;
}

}  // namespace gloss
