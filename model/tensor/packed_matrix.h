// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "model/tensor/stored_matrix.h"

namespace gloss {

/// A weight matrix [out, in] in the fastest layout for products, in f32 or bf16 for those of oneDNN, in int8
/// for those of Int8Matrix. Immutable; any number of threads may multiply with it.
///
/// int8: each row of x is quantised to 8 bits with its own scale, products are summed exactly, and the sums
/// are scaled back to f32 (Jacob et al. 2018, with scales per row and per output). Whatever the type, a row's
/// result depends on that row alone, bit for bit.
class PackedMatrix {
 public:
  /// Packs `weight`, converted to `type`.
  PackedMatrix(const StoredMatrix& weight, DType type);
  ~PackedMatrix();

  DType type() const { return type_; }
  std::int64_t out() const { return out_; }
  std::int64_t in() const { return in_; }

  /// The rows of a product and its fused operations.
  struct Rows {
    std::int64_t rows = 0;        ///< at least 2
    const float* bias = nullptr;  ///< [out]; null: none
    bool relu = false;            ///< negative results become 0
    DType type = DType::f32;      ///< of x: the matrix's type; f32 or bf16 for an int8 matrix
    DType result = DType::f32;    ///< of y: f32, or the type of x
  };
  /// y [rows, out] = x [rows, in] · weightᵀ.
  void multiply(const Rows&, const void* x, void* y) const;

  /// Receives a row's outputs `first` .. `first + count - 1`.
  using UsePanel =
      std::function<void(std::int64_t row, std::int64_t first, std::int64_t count, const float* y)>;
  /// As `multiply`, but passes f32 results to `use` one panel of outputs (kScorePanel) at a time; they are
  /// never all in memory. The panels of a row come in order.
  void multiply_by_panels(const Rows&, const void* x, const UsePanel&) const;

 private:
  struct Layout;
  /// Results of some rows with a panel of the matrix, row after row.
  struct Panel {
    std::int64_t row, rows, first, count;
    const void* results;
  };
  void check(const Rows&) const;
  /// Calls `use(panel)` for all panels of all rows; the panels of a row come in order.
  template <class Use>
  void each_panel(const Rows&, const void* x, Use use) const;

  DType type_;
  std::int64_t out_, in_;
  std::unique_ptr<Layout> layout_;
};

}  // namespace gloss
