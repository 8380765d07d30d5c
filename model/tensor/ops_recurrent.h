#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/tensor/ops.h"

namespace gloss {

// Operations of recurrent networks; the rules of ops.h hold. A batch stays packed sentence by sentence; which
// of its rows belong to which step is said by lists of row numbers.

/// Which rows a recurrence takes in which step.
struct RecurrentSteps {
  /// How many sequences take part in each step: the first so many of them, so never more than before.
  std::vector<int> counts;
  /// The row of every sequence in the first step, then in the second, ...; no row twice.
  std::vector<int> rows;
};

/// Numbers of a cell's state, for each number of its width: the LSTM keeps its cell behind what it gives.
std::int64_t state_parts(Cell);
/// Blocks of `width` numbers that a cell's inputs have.
std::int64_t gates_of(Cell);

/// A recurrent layer over sequences: row r of the result [T, parts * width] is the state after r.
///
/// inputs [T, gates * width] are the layer's inputs times their weights, with their bias; weight [gates *
/// width, width] and bias [gates * width] (may be none) are those of the recurrent product. `initial` [at
/// least as many rows as sequences, parts * width], sequence by sequence, may be none: zeros. Blocks of
/// gates: LSTM input, forget, candidate, output (Gers et al. 2000); GRU reset, update, candidate, with the
/// reset gate behind the product (Cho et al. 2014); tanh one. Rows in no step are zeros.
Tensor recurrence(Cell, const Tensor& inputs, const Tensor& weight, const Tensor& bias, const Tensor& initial,
                  std::shared_ptr<const RecurrentSteps>);

/// What queries found.
struct Attended {
  Tensor context;  ///< [T, width of the values]
  Tensor weights;  ///< f32: for each span, head and query as many numbers as the span has keys
};
/// Which of their keys queries see (Luong et al. 2015).
struct KeyWindow {
  float reach = 0;          ///< at least 1: keys no further from the centre are seen; 0: all are
  std::vector<int> places;  ///< of each query row: the centre, or the last key if there are fewer
  /// [T, 1], instead of places: the centre is the logistic function of it times the last key's place, and
  /// scores fall with the square of the distance, with half the reach as standard deviation.
  Tensor predicted;
};
/// How much of its keys was looked at before: an input of the scores (Tu et al. 2016).
struct KeyCoverage {
  Tensor seen;    ///< a number in the place of each of the weights, and maybe more; none: scores do not ask
  Tensor vector;  ///< [width]: keys get it times the number before they are scored
};
/// An attention that takes one key's value instead of their mean (Xu et al. 2015).
struct KeyDraw {
  Random* random;  ///< draws by the weights; null: takes the key with the largest
  /// Of each query row, to be known when gradients are made: how much better the draw was than expected.
  std::shared_ptr<std::vector<float>> gains;
};
/// How an attention scores, and what it makes of that.
struct ScoreShape {
  int heads;    ///< each has its share of the columns of queries, keys and values
  float scale;  ///< of products of queries and keys
  KeyWindow window = {};
  KeyCoverage coverage = {};
  std::shared_ptr<const KeyDraw> draw = nullptr;  ///< null: the mean of the values
};
/// Attention of queries [T, width] to keys [Tk, width] and values [Tk, any width] by products (Luong et al.
/// 2015), or, with a `vector` [width], by vector · tanh(query + key) (Bahdanau et al. 2015). Rows of queries
/// outside all spans give zeros; no row is in two spans' queries, nor, where gradients are wanted, in two
/// spans' keys. With a draw, weights get the gradient of -gain * log(weight of the key drawn).
Attended attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& vector,
                std::vector<AttentionSpan> spans, const ScoreShape&);

/// The first numbers of `total` plus `more`, which may have fewer; both f32.
Tensor add_prefix(const Tensor& total, const Tensor& more);

Tensor tanh(const Tensor& x);
/// Row r counts the numbers of the mask from numbers[r] * width on, so that rows with one number have one
/// mask.
Tensor dropout(const Tensor& x, const DropoutMask&, std::vector<int> numbers);

/// The rows of x that are named; -1 names a row of zeros.
Tensor take_rows(const Tensor& x, std::vector<int> rows);
/// Row r of piece p becomes row places[p][r] of the result [rows, width], none if that is -1 or places[p]
/// ends before. Places are named once; rows that are not named are zeros.
Tensor put_rows(std::span<const Tensor> pieces, std::vector<std::vector<int>> places, std::int64_t rows);
/// `count` columns from `first` on.
Tensor take_columns(const Tensor& x, std::int64_t first, std::int64_t count);
/// Tensors with as many rows side by side.
Tensor join_columns(std::span<const Tensor> parts);

}  // namespace gloss
