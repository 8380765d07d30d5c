// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// One row of a recurrent cell with `width` outputs. The inputs have `width` elements for each gate. The state
// has `width` elements, an LSTM's 2 * width: its output, then its cell.

namespace gloss {

/// A row of a cell's forward pass.
template <class Number>
struct CellRow {
  const Number* input;     ///< [gates * width]: projected inputs
  const float* recurrent;  ///< [gates * width]: recurrent product
  const Number* before;    ///< the state before
  Number* after;           ///< written: the state after
  Number* kept;            ///< written: [4 * width] (tanh: [width]) for the gradient; null: not requested
  std::int64_t width;
};

/// A row of a cell's backward pass.
template <class Number>
struct CellGradient {
  const Number* after;   ///< gradient of the state after, from the rest of the network
  const Number* kept;    ///< saved by the forward pass
  const Number* before;  ///< the state before: its values
  float* hidden;         ///< [width]: gradient of the output from the next step; becomes that of the previous
                         ///< output, without the share through the recurrent product
  float* cell;           ///< [width]: the same for the LSTM's cell; null for other cells
  Number* input;         ///< [gates * width]: gradient of the projected inputs
  bool accumulate;       ///< adds to `input` instead of writing it
  Number* recurrent;     ///< written: [gates * width], gradient of the recurrent product
  std::int64_t width;
};

/// The kernels of one kind of cell.
template <class Number>
struct CellKernels {
  void (*forward)(const CellRow<Number>&);
  void (*gradient)(const CellGradient<Number>&);
};

}  // namespace gloss
