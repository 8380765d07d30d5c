// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_recurrent.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/weight_product.h"

namespace gloss {
namespace {

const ProfiledOperation kRecurrentProducts("recurrence: products");
const ProfiledOperation kRecurrentCells("recurrence: cells");
const ProfiledOperation kStateGradient("recurrence: gradient of states");
const ProfiledOperation kRecurrentCellGradient("recurrence: gradient of cells");
const ProfiledOperation kRecurrentWeightGradient("recurrence: gradient of weights");

// Keeps the number of different product shapes small: a step's rows are rounded up with padding.
constexpr std::int64_t kStepRows = 8;
constexpr std::int64_t kAllRows = 64;
constexpr std::int64_t kRecurrentRowGrain = 16;  // minimum rows per thread

/// Sizes and steps of one recurrence.
struct RecurrenceLayout {
  Cell cell;
  std::int64_t width;
  std::shared_ptr<const RecurrentSteps> steps;

  std::int64_t gates() const { return gates_of(cell) * width; }
  std::int64_t state() const { return state_parts(cell) * width; }
  std::int64_t kept() const { return cell == Cell::tanh ? width : 4 * width; }
  std::int64_t all() const { return static_cast<std::int64_t>(steps->rows.size()); }
  /// Rows to allocate for all steps; products may read padding rows past the end.
  std::int64_t room() const { return round_up(all() + kStepRows, kAllRows); }
  int most() const { return steps->counts.front(); }
  int row(std::int64_t place) const { return steps->rows[index(place)]; }
};

/// One step: the first indices of its rows and of the previous step's rows in the list of all rows.
struct Step {
  int number, count, next;  // rows of the next step
  std::int64_t place, before;
};

std::vector<Step> steps_of(const RecurrentSteps& steps) {
  std::vector<Step> all;
  std::int64_t place = 0, before = 0;
  for (std::size_t t = 0; t < steps.counts.size(); ++t) {
    const int count = steps.counts[t], next = t + 1 < steps.counts.size() ? steps.counts[t + 1] : 0;
    expects(count > 0 && next <= count, "recurrence: ", count, " sequences in a step and ", next,
            " in the next");
    all.push_back({static_cast<int>(t), count, next, place, before});
    before = place;
    place += count;
  }
  expects(!all.empty() && place == static_cast<std::int64_t>(steps.rows.size()), "recurrence: ", place,
          " rows in all steps, but ", steps.rows.size(), " row numbers");
  return all;
}

template <class Number>
void copy_row(const Number* from, Number* to, std::int64_t width) {
  std::memcpy(to, from, index(width) * sizeof(Number));
}

void clear_rows(const Tensor& tensor, std::int64_t first, std::int64_t last) {
  if (first >= last) return;
  std::memset(tensor.raw_row(first), 0, index((last - first) * tensor.columns()) * size_of(tensor.dtype()));
}

/// Values saved for a recurrence's gradient, step by step, besides its inputs.
struct Kept {
  Tensor previous;  // [room, width]: input of each row's recurrent product
  Tensor gates;     // [all, kept]
  Tensor states;    // the result, in its own row order
};

/// The state before a row's step; `zeros` if there is no initial state.
template <class Number>
const Number* state_before(const RecurrenceLayout& layout, const Step& step, int i, const Tensor& initial,
                           const Tensor& states, const Tensor& zeros) {
  if (step.number > 0) return static_cast<const Number*>(states.raw_row(layout.row(step.before + i)));
  return static_cast<const Number*>(initial ? initial.raw_row(i) : zeros.raw());
}

template <class Number>
void run(const RecurrenceLayout& layout, const Tensor& inputs, const Tensor& weight, const Tensor& bias,
         const Tensor& initial, const Kept& kept) {
  const std::int64_t width = layout.width;
  const Tensor product = Tensor::uninitialised({round_up(layout.most(), kStepRows), layout.gates()});
  const Tensor zeros = Tensor::zeros({layout.state()}, inputs.dtype());
  for (int i = 0; i < layout.most(); ++i) {
    copy_row(initial ? static_cast<const Number*>(initial.raw_row(i)) : zeros.data_as<Number>(),
             static_cast<Number*>(kept.previous.raw_row(i)), width);
  }
  for (const Step& step : steps_of(*layout.steps)) {
    const std::int64_t rows = round_up(step.count, kStepRows);
    {
      const ProfiledTime time(kRecurrentProducts, 2 * step.count * width * layout.gates(), 0);
      multiply_by_weight({.rows = rows, .type = inputs.dtype(), .bias = bias ? bias.data() : nullptr},
                         kept.previous.raw_row(step.place), weight, product.raw());
    }
    const ProfiledTime time(kRecurrentCells, 30 * step.count * layout.gates(), 0);
    parallel_ranges(step.count, kRecurrentRowGrain, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t place = step.place + i, row = layout.row(place);
        auto* const after = static_cast<Number*>(kept.states.raw_row(row));
        kernels().of<Number>().cells[static_cast<int>(layout.cell)].forward(
            {.input = static_cast<const Number*>(inputs.raw_row(row)),
             .recurrent = product.data() + i * layout.gates(),
             .before = state_before<Number>(layout, step, static_cast<int>(i), initial, kept.states, zeros),
             .after = after,
             .kept = kept.gates ? static_cast<Number*>(kept.gates.raw_row(place)) : nullptr,
             .width = width});
        if (i < step.next) {
          copy_row(after, static_cast<Number*>(kept.previous.raw_row(step.place + step.count + i)), width);
        }
      }
    });
  }
}

/// Gradients carried backward through the steps.
struct Carried {
  Tensor hidden, cell;  // [rows of a step, width], f32; `cell` for the LSTM only
  Tensor slopes;        // [room, gates]: of the recurrent products, step by step
};

template <class Number>
void run_back(const RecurrenceLayout& layout, const Tensor& dy, const Tensor& weight, const Tensor& initial,
              const GradientSlot& inputs, const Kept& kept, const Carried& carried) {
  const std::int64_t width = layout.width;
  const Tensor zeros = Tensor::zeros({layout.state()}, dy.dtype());
  const Tensor working = weight.as(dy.dtype());
  std::vector<Step> steps = steps_of(*layout.steps);
  std::reverse(steps.begin(), steps.end());
  for (const Step& step : steps) {
    {
      const ProfiledTime time(kRecurrentCellGradient, 30 * step.count * layout.gates(), 0);
      parallel_ranges(step.count, kRecurrentRowGrain, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t place = step.place + i, row = layout.row(place);
          kernels().of<Number>().cells[static_cast<int>(layout.cell)].gradient(
              {.after = static_cast<const Number*>(dy.raw_row(row)),
               .kept = static_cast<const Number*>(kept.gates.raw_row(place)),
               .before = state_before<Number>(layout, step, static_cast<int>(i), initial, kept.states, zeros),
               .hidden = carried.hidden.data() + i * width,
               .cell = carried.cell ? carried.cell.data() + i * width : nullptr,
               .input = static_cast<Number*>(inputs.values.raw_row(row)),
               .accumulate = inputs.accumulate,
               .recurrent = static_cast<Number*>(carried.slopes.raw_row(place)),
               .width = width});
        }
      });
    }
    if (step.number == 0 && !initial.wants_gradient()) continue;
    const std::int64_t rows = round_up(step.count, kStepRows);
    const ProfiledTime time(kStateGradient, 2 * step.count * width * layout.gates(), 0);
    matmul({.m = rows, .n = width, .k = layout.gates(), .accumulate = true, .type = dy.dtype()},
           carried.slopes.raw_row(step.place), working.raw(), carried.hidden.data());
    // Sequences that end before this step have no gradient yet.
    clear_rows(carried.hidden, step.count, rows);
  }
}

template <class Number>
void give_initial_gradient(const RecurrenceLayout& layout, const Tensor& initial, const Carried& carried) {
  const Tensor gradient = initial.gradient();
  const Tensor row = Tensor::uninitialised({layout.width}, initial.dtype());
  for (int i = 0; i < layout.most(); ++i) {
    auto* const to = static_cast<Number*>(gradient.raw_row(i));
    const auto add = [&](const float* from, Number* place) {
      if constexpr (std::is_same_v<Number, float>) {
        kernels().f32.add(place, from, layout.width);
      } else {
        kernels().narrow(from, row.data_as<Number>(), layout.width);
        kernels().of<Number>().add(place, row.data_as<Number>(), layout.width);
      }
    };
    add(carried.hidden.data() + i * layout.width, to);
    if (carried.cell) add(carried.cell.data() + i * layout.width, to + layout.width);
  }
}

/// Inputs of the operation, in this order; bias and initial state may be empty.
struct RecurrenceOperands {
  Tensor inputs, weight, bias, initial;
  std::vector<Tensor> recorded() const {
    std::vector<Tensor> all{inputs.without_values(), weight};
    if (bias) all.push_back(bias);
    if (initial) all.push_back(initial);
    return all;
  }
  static RecurrenceOperands from(std::span<const Tensor> of, bool bias, bool initial) {
    return {of[0], of[1], bias ? of[2] : Tensor(), initial ? of.back() : Tensor()};
  }
};

void recurrence_gradient(const RecurrenceLayout& layout, const Tensor& dy, const RecurrenceOperands& of,
                         const Kept& kept) {
  const bool lstm = layout.cell == Cell::lstm;
  const std::int64_t rows = round_up(layout.most(), kStepRows), width = layout.width;
  const Carried carried{Tensor::zeros({rows, width}), lstm ? Tensor::zeros({rows, width}) : Tensor(),
                        Tensor::uninitialised({layout.room(), layout.gates()}, dy.dtype())};
  clear_rows(carried.slopes, layout.all(), layout.room());
  GradientSlot inputs = of.inputs.wants_gradient()
                            ? of.inputs.gradient_slot()
                            : GradientSlot{Tensor::uninitialised(of.inputs.shape(), dy.dtype()), false};
  if (!inputs.accumulate && layout.all() < inputs.values.rows()) {  // rows in no step
    clear_rows(inputs.values, 0, inputs.values.rows());
  }
  for_dtype(dy.dtype(), [&]<class Number>() {
    run_back<Number>(layout, dy, of.weight, of.initial, inputs, kept, carried);
    if (of.initial.wants_gradient()) give_initial_gradient<Number>(layout, of.initial, carried);
    if (of.bias.wants_gradient()) {
      kernels().of<Number>().add_column_sums(carried.slopes.data_as<Number>(), of.bias.gradient().data(),
                                             layout.all(), layout.gates());
    }
  });
  if (!of.weight.wants_gradient()) return;
  const GradientSlot weight = of.weight.gradient_slot();
  const ProfiledTime time(kRecurrentWeightGradient, 2 * layout.all() * width * layout.gates(), 0);
  matmul({.m = layout.gates(),
          .n = width,
          .k = layout.room(),
          .transpose_a = true,
          .accumulate = weight.accumulate,
          .type = dy.dtype()},
         carried.slopes.raw(), kept.previous.raw(), weight.values.raw());
}

}  // namespace

std::int64_t state_parts(Cell cell) { return cell == Cell::lstm ? 2 : 1; }

std::int64_t gates_of(Cell cell) {
  switch (cell) {
    case Cell::lstm:
      return 4;
    case Cell::gru:
      return 3;
    case Cell::tanh:
      return 1;
  }
  throw BrokenPromise("a cell without gates");
}

Tensor recurrence(Cell cell, const Tensor& inputs, const Tensor& weight, const Tensor& bias,
                  const Tensor& initial, std::shared_ptr<const RecurrentSteps> steps) {
  expects(!steps->counts.empty(), "recurrence without steps");
  const RecurrenceLayout layout{cell, weight.columns(), std::move(steps)};
  expects(weight.rows() == layout.gates() && inputs.columns() == layout.gates(), "recurrence: inputs ",
          inputs.shape().text(), ", weight ", weight.shape().text());
  expects(!initial || (initial.rows() >= layout.most() && initial.columns() == layout.state() &&
                       initial.dtype() == inputs.dtype()),
          "recurrence: initial states ", initial ? initial.shape().text() : "", " for ", layout.most(),
          " sequences");
  for (const int row : layout.steps->rows) {
    expects(row >= 0 && row < inputs.rows(), "recurrence: row ", row, " of ", inputs.rows());
  }
  const RecurrenceOperands operands{inputs, weight, bias, initial};
  const bool keep = any_wants_gradient(operands.recorded());
  Tensor y = Tensor::uninitialised({inputs.rows(), layout.state()}, inputs.dtype());
  if (layout.all() < y.rows()) clear_rows(y, 0, y.rows());
  const Kept kept{Tensor::uninitialised({layout.room(), layout.width}, inputs.dtype()),
                  keep ? Tensor::uninitialised({layout.all(), layout.kept()}, inputs.dtype()) : Tensor(),
                  y.without_gradient()};
  clear_rows(kept.previous, 0, layout.room());
  for_dtype(inputs.dtype(),
            [&]<class Number>() { run<Number>(layout, inputs, weight, bias, initial, kept); });
  return record(y, operands.recorded(),
                [layout, kept, with_bias = bool(bias), with_initial = bool(initial)](
                    const Tensor& dy, std::span<const Tensor> of) {
                  recurrence_gradient(layout, dy, RecurrenceOperands::from(of, with_bias, with_initial),
                                      kept);
                });
}

}  // namespace gloss
