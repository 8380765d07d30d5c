// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/dropout_mask.h"

// Operands of kernels over rows of activations. A kernel gets a block of consecutive rows: pointers point at
// the first row of the block, and rows are contiguous.

namespace gloss {

/// The rows of a whole array that form a block. Dropout indices count over the whole array: row r starts at r
/// * width.
struct RowBlock {
  std::int64_t first;  ///< index of the block's first row
  std::int64_t rows;
  std::int64_t width;  ///< elements per row
};

/// sum = base + dropout(branch).
template <class Number>
struct ResidualSum {
  const Number* base;
  const Number* branch;
  Number* sum;
  DropoutMask dropout;
};

/// branch = dropout(gradient), or adds it to `branch`.
template <class Number>
struct DropoutGradient {
  const Number* gradient;
  Number* branch;
  bool accumulate;  ///< adds to `branch` instead of writing it
  DropoutMask dropout;
};

/// y = layer normalisation (Ba et al. 2016) of x, or of x + dropout(branch); without a bias, RMS
/// normalisation (Zhang and Sennrich 2019).
template <class Number>
struct NormalisedRows {
  const Number* x;
  const Number* branch;  ///< null: none
  DropoutMask dropout;   ///< applies to the branch
  const float* gain;     ///< [width]
  const float* bias;     ///< [width]; null: none
  float epsilon;         ///< added to the variance or mean square
  Number* y;
  Number* normalised;         ///< rows before gain and bias; null: not requested
  float* inverse_deviations;  ///< [rows]; used only with `normalised`
  float* scratch;             ///< [width]; used only with a branch
};

/// The gradient of a NormalisedRows.
template <class Number>
struct NormalisedRowsGradient {
  const Number* gradient;  ///< gradient of y
  const Number* normalised;
  const float* inverse_deviations;  ///< [rows]
  const float* gain;                ///< [width]
  Number* x;                        ///< gradient of x
  bool accumulate;                  ///< adds to `x` instead of writing it
  Number* branch;                   ///< gradient of the branch: written; null: not requested
  DropoutMask dropout;              ///< applies to the branch
  float* gain_sums;                 ///< [width]: adds the gradient of the gain
  float* bias_sums;                 ///< [width]: adds the gradient of the bias; null: there is none
};

/// The gradient of dropout(relu(x)), given its result y.
template <class Number>
struct ReluGradient {
  const Number* gradient;  ///< gradient of y
  const Number* y;
  Number* x;           ///< written: gradient of x
  float scale;         ///< factor of the elements that dropout kept
  float* column_sums;  ///< [width]: adds the sums of `x` over the rows
};

/// Rotary positions (Su et al. 2021) for one row of `heads` parts: element i of a part's first half and
/// element i of its second half form a point, which is rotated by the angle with cosines[i] and sines[i].
template <class Number>
struct Rotation {
  const Number* x;       ///< [heads * width]
  const float* cosines;  ///< [width / 2]
  const float* sines;    ///< [width / 2]
  bool back;             ///< rotates by the opposite angles
  Number* y;             ///< [heads * width]
  bool accumulate;       ///< adds to `y` instead of writing it
  std::int64_t heads;    ///< number of parts
  std::int64_t width;    ///< elements per part
};

/// y = dropout(scale * table_row + position_row), all [width].
template <class Number>
struct EmbeddedRow {
  const float* table_row;
  const float* position_row;  ///< null: none
  float scale;
  Number* y;
  DropoutMask dropout;
  std::int64_t row;  ///< index of the row in the whole array
  std::int64_t width;
};

/// table_row += scale * dropout(gradient), position_row += dropout(gradient), all [width].
template <class Number>
struct EmbeddedRowGradient {
  const Number* gradient;
  float scale;
  float* table_row;     ///< null: not requested
  float* position_row;  ///< null: not requested
  DropoutMask dropout;
  std::int64_t row;  ///< index of the row in the whole array
  std::int64_t width;
};

}  // namespace gloss
