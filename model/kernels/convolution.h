// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/dropout_mask.h"

// Operands of convolutions over the rows of a sentence. Kernels compute some rows of one sentence.

namespace gloss {

/// The rows that a convolution reads: tap k of row t reads row t + first + k * step of the sentence; rows
/// outside it are zeros.
struct ConvolutionTaps {
  std::int64_t count;
  std::int64_t first;
  std::int64_t step = 1;

  /// The taps by which gradients flow back: row s is read by the rows s - first - k * step.
  ConvolutionTaps back() const { return {count, -first, -step}; }
};

/// Rows first .. last - 1 of y = the convolution of x.
template <class Number>
struct ConvolvedRows {
  const Number* x;  ///< [length, width]
  Number* y;        ///< [length, width]
  std::int64_t first, last;
  std::int64_t length;  ///< rows of the sentence
  std::int64_t width;
  ConvolutionTaps taps;
  bool accumulate = false;  ///< adds to `y` instead of writing it
};

/// Rows first .. last - 1 of y = the convolution of x, whose rows are a grid, row by row. The taps are those
/// of both directions: tap a * count + k reads tap a of the rows of the grid and tap k of its columns. The
/// last row of the grid may be shorter.
template <class Number>
struct ConvolvedGrid {
  const Number* x;  ///< [length, width]
  Number* y;        ///< [length, width]; for gradients of weights, only read
  std::int64_t first, last;
  std::int64_t length;   ///< rows of the sentence
  std::int64_t columns;  ///< of the grid
  std::int64_t width;
  ConvolutionTaps taps;
  bool accumulate = false;  ///< adds to `y` instead of writing it
};

/// Weights that the width / heads channels of a head share, different for every row: [length, heads * taps].
template <class Number>
struct HeadTaps {
  const Number* weights;
  std::int64_t heads;
  bool of_read_row = false;  ///< uses the weights of the row that a tap reads, for gradients
};

/// Rows first .. last - 1 of the gradient of weights of rows, given x and the gradient of y.
template <class Number>
struct ConvolutionGradient {
  const Number* x;         ///< [length, width]
  const Number* gradient;  ///< [length, width]
  std::int64_t first, last;
  std::int64_t length;
  std::int64_t width;
  ConvolutionTaps taps;
};

/// Softmax of each group of adjacent elements, then dropout.
template <class Number>
struct GroupedSoftmax {
  const Number* x;  ///< [groups, size]
  Number* shares;   ///< [groups, size]: before dropout; null: not requested
  Number* y;        ///< [groups, size]
  std::int64_t groups, size;
  DropoutMask dropout;
  std::int64_t first;  ///< index of the first element in the whole array
};

/// The gradient of a GroupedSoftmax.
template <class Number>
struct GroupedSoftmaxGradient {
  const Number* gradient;  ///< of y
  const Number* shares;
  Number* x;        ///< gradient of x
  bool accumulate;  ///< adds to `x` instead of writing it
  std::int64_t groups, size;
  DropoutMask dropout;
  std::int64_t first;
};

}  // namespace gloss
