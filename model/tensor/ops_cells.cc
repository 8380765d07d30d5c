// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_recurrent.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kCells("cells");
const ProfiledOperation kCellGradient("cells: gradient");

constexpr std::int64_t kCellRowGrain = 16;  // minimum rows per thread

/// Sizes of one step.
struct Sizes {
  Cell cell;
  std::int64_t rows, width;

  std::int64_t gates() const { return gates_of(cell) * width; }
  std::int64_t state() const { return state_parts(cell) * width; }
  std::int64_t kept() const { return cell == Cell::tanh ? width : 4 * width; }
};

/// Inputs of the operation; either `inputs` or `bias` is empty.
struct CellOperands {
  Tensor inputs, bias, products, before;
  std::vector<Tensor> recorded() const {
    return {inputs ? inputs.without_values() : bias, products.without_values(), before};
  }
};

/// A bias in the type of the activations: the input of every row.
template <class Number>
Tensor input_row(const Tensor& bias) {
  if constexpr (std::is_same_v<Number, float>) {
    return bias.without_gradient();
  } else {
    const Tensor row = Tensor::uninitialised({1, bias.count()}, DType::bf16);
    kernels().narrow(bias.data(), row.data_as<Bf16>(), bias.count());
    return row;
  }
}

template <class Number>
void run(const Sizes& sizes, const CellOperands& of, const Tensor& after, const Tensor& kept) {
  const Tensor row = of.bias ? input_row<Number>(of.bias) : Tensor();
  parallel_ranges(sizes.rows, kCellRowGrain, [&](std::int64_t first, std::int64_t last) {
    const bool narrow = !std::is_same_v<Number, float>;
    const Tensor wide = narrow ? Tensor::uninitialised({sizes.gates()}) : Tensor();
    for (std::int64_t i = first; i < last; ++i) {
      if constexpr (!std::is_same_v<Number, float>) {
        kernels().widen(static_cast<const Bf16*>(of.products.raw_row(i)), wide.data(), sizes.gates());
      }
      kernels().of<Number>().cells[static_cast<int>(sizes.cell)].forward(
          {.input = static_cast<const Number*>(row ? row.raw() : of.inputs.raw_row(i)),
           .recurrent = static_cast<const float*>(narrow ? wide.raw() : of.products.raw_row(i)),
           .before = static_cast<const Number*>(of.before.raw_row(i)),
           .after = static_cast<Number*>(after.raw_row(i)),
           .kept = kept ? static_cast<Number*>(kept.raw_row(i)) : nullptr,
           .width = sizes.width});
    }
  });
}

/// Gradients of the operands.
struct Slopes {
  GradientSlot inputs;
  Tensor products;
  Tensor before;
};

template <class Number>
void run_back(const Sizes& sizes, const Tensor& dy, const Tensor& before, const Tensor& kept,
              const Slopes& slopes) {
  const std::int64_t width = sizes.width;
  parallel_ranges(sizes.rows, kCellRowGrain, [&](std::int64_t first, std::int64_t last) {
    const Tensor carried = Tensor::uninitialised({sizes.state()});
    for (std::int64_t i = first; i < last; ++i) {
      std::fill_n(carried.data(), sizes.state(), 0.0f);
      kernels().of<Number>().cells[static_cast<int>(sizes.cell)].gradient(
          {.after = static_cast<const Number*>(dy.raw_row(i)),
           .kept = static_cast<const Number*>(kept.raw_row(i)),
           .before = static_cast<const Number*>(before.raw_row(i)),
           .hidden = carried.data(),
           .cell = sizes.cell == Cell::lstm ? carried.data() + width : nullptr,
           .input = static_cast<Number*>(slopes.inputs.values.raw_row(i)),
           .accumulate = slopes.inputs.accumulate,
           .recurrent = static_cast<Number*>(slopes.products.raw_row(i)),
           .width = width});
      if constexpr (std::is_same_v<Number, float>) {
        std::copy_n(carried.data(), sizes.state(), static_cast<float*>(slopes.before.raw_row(i)));
      } else {
        kernels().narrow(carried.data(), static_cast<Bf16*>(slopes.before.raw_row(i)), sizes.state());
      }
    }
  });
}

/// `bias` if `inputs` are one row for all.
void give_gradients(const Sizes& sizes, const Tensor& dy, std::span<const Tensor> of, bool bias,
                    const Tensor& kept) {
  const bool slot = !bias && of[0].wants_gradient();
  const Slopes slopes{
      slot ? of[0].gradient_slot()
           : GradientSlot{Tensor::uninitialised({sizes.rows, sizes.gates()}, dy.dtype()), false},
      Tensor::uninitialised({sizes.rows, sizes.gates()}, dy.dtype()),
      Tensor::uninitialised({sizes.rows, sizes.state()}, dy.dtype())};
  const ProfiledTime time(kCellGradient, 30 * sizes.rows * sizes.gates(), 0);
  for_dtype(dy.dtype(), [&]<class Number>() {
    run_back<Number>(sizes, dy, of[2], kept, slopes);
    if (bias && of[0].wants_gradient()) {
      kernels().of<Number>().add_column_sums(slopes.inputs.values.template data_as<Number>(),
                                             of[0].gradient().data(), sizes.rows, sizes.gates());
    }
  });
  if (of[1].wants_gradient()) of[1].hand_gradient(slopes.products);
  if (of[2].wants_gradient()) of[2].hand_gradient(slopes.before);
}

}  // namespace

Tensor step_cells(Cell cell, const Tensor& inputs, const Tensor& bias, const Tensor& products,
                  const Tensor& before) {
  const Sizes sizes{cell, products.rows(), before.columns() / state_parts(cell)};
  expects(bool(inputs) != bool(bias), "a cell's step needs inputs or a bias");
  expects(products.columns() == sizes.gates() && before.rows() == sizes.rows &&
              (!inputs || inputs.shape() == products.shape()) && (!bias || bias.count() == sizes.gates()),
          "a cell's step: products ", products.shape().text(), ", states ", before.shape().text());
  const CellOperands operands{inputs, bias, products, before};
  const bool keep = any_wants_gradient(operands.recorded());
  Tensor y = Tensor::uninitialised({sizes.rows, sizes.state()}, products.dtype());
  const Tensor kept = keep ? Tensor::uninitialised({sizes.rows, sizes.kept()}, products.dtype()) : Tensor();
  {
    const ProfiledTime time(kCells, 30 * sizes.rows * sizes.gates(), 0);
    for_dtype(y.dtype(), [&]<class Number>() { run<Number>(sizes, operands, y, kept); });
  }
  return record(y, operands.recorded(),
                [sizes, kept, with_bias = bool(bias)](const Tensor& dy, std::span<const Tensor> of) {
                  give_gradients(sizes, dy, of, with_bias, kept);
                });
}

}  // namespace gloss
