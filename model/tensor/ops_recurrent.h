// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/kernels/cell.h"
#include "model/tensor/ops.h"

namespace gloss {

// Operations of recurrent networks; the rules of ops.h apply. A batch stays packed sentence by sentence;
// lists of row numbers assign its rows to steps.

/// The rows of each step of a recurrence.
struct RecurrentSteps {
  /// Number of sequences in each step, never more than in the previous step: always the first ones.
  std::vector<int> counts;
  /// The row of every sequence in the first step, then in the second, ...; each row at most once.
  std::vector<int> rows;
};

/// State blocks of `width` elements: 2 for the LSTM (output, then cell), else 1.
std::int64_t state_parts(Cell);
/// Gates of a cell: blocks of `width` elements in its inputs.
std::int64_t gates_of(Cell);

/// A recurrent layer over sequences: row r of the result [T, parts * width] is the state after r.
///
/// inputs [T, gates * width] are the layer's inputs times their weights, plus bias; weight [gates * width,
/// width] and bias [gates * width] (may be empty) belong to the recurrent product. `initial` [at least as
/// many rows as sequences, parts * width] holds the state of each sequence before its first step; empty:
/// zeros. Order of gates: LSTM input, forget, candidate, output (Gers et al. 2000); GRU reset, update,
/// candidate, with the reset gate after the product (Cho et al. 2014); tanh one. Rows in no step are zeros.
Tensor recurrence(Cell, const Tensor& inputs, const Tensor& weight, const Tensor& bias, const Tensor& initial,
                  std::shared_ptr<const RecurrentSteps>);

/// One step of a cell in each row: the state [T, parts * width] after the state `before`, which has the same
/// shape. Inputs [T, gates * width] are those of `recurrence`; if they are empty, every row has the input
/// `bias` [gates * width], otherwise there is no bias. products [T, gates * width]: the recurrent products,
/// with their bias.
Tensor step_cells(Cell, const Tensor& inputs, const Tensor& bias, const Tensor& products,
                  const Tensor& before);

/// Running sums over the rows of each span of queries: y_t = kept_t * y_(t-1) + (1 - kept_t) * x_t, where y
/// before the first row is 0 (SSRU, Kim et al. 2019). `kept` has the shape of x; if it is empty, y_t is the
/// mean of the rows so far (Zhang et al. 2018). Rows outside all spans are zeros. Sums are f32; `sums`, if
/// not null, receives them.
Tensor running_sums(const Tensor& x, const Tensor& kept, std::vector<AttentionSpan> spans,
                    Tensor* sums = nullptr);

/// The sums of a row during decoding, all [width].
struct SumRow {
  const float* before;  ///< the sum of the row before it; null if there is none
  float* after;         ///< receives its own sum
  int place;            ///< number of rows before it
};
/// As `running_sums`, one row of each sentence, without gradient. Rows beyond the list give zeros.
Tensor continue_sums(const Tensor& x, const Tensor& kept, std::span<const SumRow> rows);

/// Results of attention.
struct Attended {
  Tensor context;  ///< [T, width of the values]
  Tensor weights;  ///< f32: for each span, head and query one weight per key of the span
};
/// Restricts queries to a window of their keys (Luong et al. 2015).
struct KeyWindow {
  float reach = 0;          ///< at least 1: largest visible distance from the centre; 0: no window
  std::vector<int> places;  ///< centre for each query row; the last key if there are fewer
  /// [T, 1], replaces places: the centre is its logistic function times the last key's position, and scores
  /// fall with the squared distance; the standard deviation is half the reach.
  Tensor predicted;
};
/// Attention that each key received in earlier steps, as an input of the scores (Tu et al. 2016).
struct KeyCoverage {
  Tensor seen;    ///< one element per weight, and maybe more; empty: no coverage
  Tensor vector;  ///< [width]: added to keys, times their coverage, before scoring
};
/// Hard attention: takes the value of one key instead of the mean (Xu et al. 2015).
struct KeyDraw {
  Random* random;  ///< samples by weight; null: takes the key with the largest weight
  /// Gain of each query row's sample over its baseline; required before backward.
  std::shared_ptr<std::vector<float>> gains;
};
/// The score function and the selection of values.
struct ScoreShape {
  int heads;    ///< queries, keys and values split their columns evenly among heads
  float scale;  ///< multiplies the products of queries and keys
  KeyWindow window = {};
  KeyCoverage coverage = {};
  std::shared_ptr<const KeyDraw> draw = nullptr;  ///< null: the mean of the values
};
/// Attention of queries [T, width] to keys [Tk, width] and values [Tk, any width] by dot products (Luong et
/// al. 2015), or, with a `vector` [width], by vector · tanh(query + key) (Bahdanau et al. 2015). Query rows
/// outside all spans give zeros; no row may be in the queries of two spans, nor, with gradients, in the keys
/// of two spans. With a draw, weights get the gradient of -gain * log(weight of the sampled key).
Attended attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& vector,
                std::vector<AttentionSpan> spans, const ScoreShape&);

/// Adds `more` to the first elements of `total`; both f32; `more` may be shorter.
Tensor add_prefix(const Tensor& total, const Tensor& more);

Tensor tanh(const Tensor& x);
/// Dropout with mask indices from numbers[r] * width for row r: rows with equal numbers share a mask.
Tensor dropout(const Tensor& x, const DropoutMask&, std::vector<int> numbers);

/// Copies the rows of x with these numbers; -1 gives a row of zeros.
Tensor take_rows(const Tensor& x, std::vector<int> rows);
/// Row r of piece p becomes row places[p][r] of the result [rows, width]; it is dropped if that is -1 or
/// places[p] is shorter. Each place occurs once; all other rows are zeros.
Tensor put_rows(std::span<const Tensor> pieces, std::vector<std::vector<int>> places, std::int64_t rows);
/// `count` columns from column `first`.
Tensor take_columns(const Tensor& x, std::int64_t first, std::int64_t count);
/// Column c of the result is column columns[c] of x, which is f32.
Tensor gather_columns(const Tensor& x, std::vector<int> columns);
/// Concatenates tensors with the same number of rows column-wise.
Tensor join_columns(std::span<const Tensor> parts);

}  // namespace gloss
