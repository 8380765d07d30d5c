// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/formats/byte_reader.h"

namespace gloss {

/// Approximates vectors by centroids: the numbers of a vector are divided into parts, and each part is one of
/// 256 centroids (Jégou et al. 2011).
class ProductQuantiser {
 public:
  static constexpr std::int64_t kCentroids = 256;

  ProductQuantiser() = default;
  /// Throws InputError if the bytes are no quantiser of vectors with `dimension` numbers.
  ProductQuantiser(ByteReader&, std::int64_t dimension);

  /// The number of parts, each of which has a code of one byte.
  std::int64_t parts() const { return parts_; }
  /// Adds `factor` times the vector with these codes to `sum`.
  void add(std::span<const std::byte> codes, float factor, std::span<float> sum) const;

 private:
  std::int64_t parts_ = 0, width_ = 0;
  std::vector<float> centroids_;
};

/// A matrix in a file of fastText, with numbers or with codes of their product quantisation. It refers to the
/// bytes that it was read from.
class FastTextMatrix {
 public:
  FastTextMatrix() = default;
  FastTextMatrix(FastTextMatrix&&) = default;
  FastTextMatrix& operator=(FastTextMatrix&&) = default;
  /// Throws InputError if there is no matrix with `columns` columns; `what` names it.
  FastTextMatrix(ByteReader&, bool quantised, std::int64_t columns, std::string_view what);

  std::int64_t rows() const { return rows_; }
  /// Adds rows to `sum`, one after another.
  void add(std::span<const std::int64_t> rows, std::span<float> sum) const;
  /// The numbers of the first `rows` rows, column by column.
  std::vector<float> columns(std::int64_t rows) const;
  /// The product of a row and a vector.
  float product(std::int64_t row, std::span<const float> vector) const;

 private:
  void read_codes(ByteReader&, std::string_view what);
  void add_codes(std::int64_t row, std::span<float> sum) const;

  std::int64_t rows_ = 0, columns_ = 0;
  std::span<const std::byte> numbers_;  // f32, not aligned; empty: quantised
  std::vector<float> decoded_;          // of a small quantised matrix, which numbers_ then refers to
  std::span<const std::byte> codes_, norms_;
  ProductQuantiser quantiser_, norm_quantiser_;
};

}  // namespace gloss
