#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "model/tensor/stored_matrix.h"

namespace gloss {

/// A weight matrix [out, in] in the layout that products are fastest with, in f32, bf16 or int8. Never
/// changes; any number of threads may multiply with it.
///
/// int8: each row of x is rounded to 8 bits with a scale of its own, the products are summed exactly, and the
/// sums are scaled back to f32 (Jacob et al. 2018, with scales per row and per output). A row's result
/// depends on that row alone, bit for bit, whatever the type.
class PackedMatrix {
 public:
  /// `weight`, whatever it is stored as, as `type`.
  PackedMatrix(const StoredMatrix& weight, DType type);
  ~PackedMatrix();

  DType type() const { return type_; }
  std::int64_t out() const { return out_; }
  std::int64_t in() const { return in_; }

  /// Which rows, and what happens to them besides.
  struct Rows {
    std::int64_t rows = 0;        ///< at least 2
    const float* bias = nullptr;  ///< [out], or none
    bool relu = false;            ///< negative results become 0
    DType type = DType::f32;      ///< of x: that of the matrix, or f32 or bf16 if it is int8
    DType result = DType::f32;    ///< of y: f32, or that of x
  };
  /// y [rows, out] = x [rows, in] · weightᵀ.
  void multiply(const Rows&, const void* x, void* y) const;

  /// Gets the results `y` of a row's outputs `first` .. `first + count - 1`.
  using UsePanel =
      std::function<void(std::int64_t row, std::int64_t first, std::int64_t count, const float* y)>;
  /// As `multiply`, with results in f32 that are used a panel of outputs (kScorePanel) at a time and never
  /// all in memory. The panels of a row come in their order.
  void multiply_by_panels(const Rows&, const void* x, const UsePanel&) const;

 private:
  struct Layout;
  struct Panel;
  void check(const Rows&) const;
  /// Calls `use(panel)` for all panels of all rows, a panel's rows in their order.
  template <class Use>
  void each_panel(const Rows&, const void* x, Use use) const;
  /// The results of `count` rows of a panel of int8, from its row `row` on.
  template <class Number>
  void scale_rows(const Rows&, const Panel&, std::int64_t row, std::int64_t count, Number* y,
                  std::int64_t y_stride) const;

  DType type_;
  std::int64_t out_, in_;
  std::unique_ptr<Layout> layout_;
  std::vector<float> scales_;          // int8: of the outputs
  std::vector<std::int32_t> offsets_;  // int8: what the inputs' offset adds to the sums
};

/// True if oneDNN multiplies int8 numbers exactly and fast on this processor.
bool can_multiply_int8();

}  // namespace gloss
