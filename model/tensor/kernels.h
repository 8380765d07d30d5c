#pragma once

#include <cstdint>

#include "model/tensor/dtype.h"

namespace gloss {

/// Which numbers dropout keeps: number i of an array is kept if a hash of (key, i) is at least `threshold`.
/// The same key gives the same mask again, so that masks are recomputed and never stored.
struct DropoutMask {
  std::uint64_t key = 0;
  std::uint32_t threshold = 0;  ///< 0 keeps all
  float scale = 1.0f;           ///< of what is kept: 1 / (1 - rate)
};

/// What scores of self-attention get by how far a key lies from the query.
struct DistanceScores {
  const float* numbers = nullptr;  ///< [2 * reach + 1]; null: nothing is added
  std::int64_t reach = 0;          ///< key j of query i gets number j - i + reach, or the first or the last
};

/// A head's share of an attention: strides are numbers from one row to the next.
template <class Number>
struct AttentionHead {
  const Number* queries;  ///< [query_count, head_width]
  const Number* keys;     ///< [key_count, head_width]
  const Number* values;
  std::int64_t query_stride, key_stride, value_stride;
  std::int64_t query_count, key_count, head_width;
  float scale;  ///< of the scores, 1 / sqrt(head_width)
  bool causal;  ///< query i sees keys 0 .. i
  DropoutMask dropout;
  std::int64_t dropout_start;  ///< index of the first weight; weight (i, j) is start + i * key_count + j
  DistanceScores distances;
};

/// Query rows of an attention while decoding, over all heads. Row r sees the rows that keys[starts[r]] ..
/// keys[starts[r + 1] - 1] point at: their keys, with the values right behind.
template <class Number>
struct AttendedRows {
  const Number* queries;  ///< [rows, at least heads * head_width]
  std::int64_t query_stride;
  const void* const* keys;
  const int* starts;
  std::int64_t rows, heads, head_width;
  float scale;  ///< of the scores
  DistanceScores
      distances;  ///< of the first head, those of the next behind; a query is where its last key is
};

/// What a head's gradient needs besides.
template <class Number>
struct AttentionHeadGradient {
  const Number* result;           ///< of the forward pass
  const Number* result_gradient;  ///< both [query_count, head_width] with result_stride
  std::int64_t result_stride;
  const float* log_sums;  ///< [query_count] as the forward pass gave them
  Number* queries;        ///< gradients, strides as the operands
  Number* keys;
  Number* values;
  bool accumulate_queries;      ///< adds to what `queries` holds
  bool accumulate_keys_values;  ///< adds to what `keys` and `values` hold
  float* distances;             ///< added to; null if nobody asks for it
};

/// The kinds of recurrent cells.
enum class Cell { lstm, gru, tanh };

/// A row of a cell's gradient: the gradients of what came out, the values of before, and where the gradients
/// of what went in are put.
template <class Number>
struct CellGradient {
  const Number* after;   ///< of the state that came out, as the rest of the network gave it
  const Number* kept;    ///< as the forward pass gave it
  const Number* before;  ///< the state that went in: values
  float* hidden;      ///< [width] of that state as the next step gave it; becomes that of the state before,
                      ///< without what reached it through the recurrent product
  float* cell;        ///< the same of the LSTM's cell
  Number* input;      ///< of the projected inputs
  bool accumulate;    ///< adds to what `input` holds
  Number* recurrent;  ///< of the recurrent product
};

/// One row of a recurrent cell. The state has `width` numbers, the LSTM's twice as many.
template <class Number>
struct CellKernels {
  /// kept may be null if no gradient is wanted; otherwise 4 * width numbers (tanh: width).
  void (*forward)(const Number* input, const float* recurrent, const Number* before, Number* after,
                  Number* kept, std::int64_t width);
  void (*gradient)(const CellGradient<Number>&, std::int64_t width);
};

/// A head's share of an attention with scores of some kind: strides are numbers from one row to the next.
template <class Number>
struct ScoredHead {
  const Number* queries;  ///< [query_count, key_width]
  const Number* keys;     ///< [key_count, key_width]
  std::int64_t query_stride, key_stride;
  std::int64_t query_count, key_count, key_width;
  float scale;          ///< of products of queries and keys
  const float* vector;  ///< [key_width] of additive scores (Bahdanau et al. 2015); null: products
  /// [query_count, key_count], and the vector [key_width] that keys get times it; null: they are as they are.
  const float* seen;
  const float* coverage;
  /// [query_count]: the place of each query's window among its keys; null: all keys are seen.
  const float* centres;
  float reach;           ///< of windows: keys no further from the centre are seen
  float inverse_spread;  ///< scores fall with (distance * inverse_spread)^2 / 2; 0: they do not
};

/// Gradients of a ScoredHead's operands, all added to, in rows without gaps.
struct ScoredHeadGradient {
  float* queries;
  float* keys;
  float* vector;    ///< null where the head has none
  float* coverage;  ///< null where the head has none
  float* seen;      ///< as the head's; null: nobody asks for it
  float* centres;   ///< [query_count]; null: nobody asks for it
};

/// A head's share of the values of an attention, and their weights.
template <class Number>
struct MixedHead {
  const Number* values;  ///< [key_count, width]
  std::int64_t stride;
  std::int64_t query_count, key_count, width;
  const float* weights;  ///< [query_count, key_count]
};

/// The numbers of one Adam step (Kingma and Ba 2015; weight decay apart from the gradient: Loshchilov and
/// Hutter 2019).
struct AdamStep {
  float gradient_scale;  ///< what gradients are multiplied with first
  float beta1, beta2;
  float rate;               ///< learning rate over the bias correction of the first moment
  float second_correction;  ///< 1 / the bias correction of the second moment
  float epsilon;
  float decay;  ///< learning rate times weight decay
};

/// A token that may come next, with its score as the network gave it.
struct ScoredToken {
  std::int32_t token;
  float score;
};

/// Scores are made and looked through in panels of so many tokens, which stay near the processor.
constexpr std::int64_t kScorePanel = 2048;

/// What is known of a row of scores of which some panels were seen.
struct TopTokens {
  ScoredToken* best;  ///< room for `wanted`, which is at least 1
  std::int64_t wanted, kept;
  float largest;  ///< of all seen; -infinity at first
  double exps;    ///< sum of exp(score - largest)
};

/// Loops over activations stored as f32 or bf16 (`Number`), computed in f32. Rows are [rows, width]; row r
/// counts dropout's numbers from r * width on. Parameters, statistics and sums are f32.
template <class Number>
struct ActivationKernels {
  void (*add)(Number* to, const Number* from, std::int64_t count);
  void (*multiply)(Number* x, float factor, std::int64_t count);

  void (*add_dropout)(const Number* base, const Number* branch, Number* sum, DropoutMask,
                      std::int64_t first_row, std::int64_t rows, std::int64_t width);
  void (*dropout_gradient)(const Number* gradient, Number* branch, bool accumulate, DropoutMask,
                           std::int64_t first_row, std::int64_t rows, std::int64_t width);
  /// Of x, or of x + dropout(branch) if there is a branch. normalised and inverse_deviations may be null if
  /// no gradient is wanted, and so may scratch [width] without a branch.
  void (*layer_norm)(const Number* x, const Number* branch, DropoutMask, const float* gain, const float* bias,
                     Number* y, Number* normalised, float* inverse_deviations, float* scratch,
                     std::int64_t first_row, std::int64_t rows, std::int64_t width);
  /// branch_gradient is null if there was no branch; gain and bias gradients are added to.
  void (*layer_norm_gradient)(const Number* gradient, const Number* normalised,
                              const float* inverse_deviations, const float* gain, Number* x_gradient,
                              bool accumulate, Number* branch_gradient, DropoutMask, float* gain_gradient,
                              float* bias_gradient, std::int64_t first_row, std::int64_t rows,
                              std::int64_t width);
  /// Turns each of the first `heads` parts of `width` numbers of a row: number i of its first half and of its
  /// second are the two of a point, which turns by the angle of cosines[i] and sines[i], or back.
  void (*rotate)(const Number* x, const float* cosines, const float* sines, bool back, Number* y,
                 bool accumulate, std::int64_t heads, std::int64_t width);
  void (*add_column_sums)(const Number* rows_of_numbers, float* sums, std::int64_t rows, std::int64_t width);
  /// x = dropout(x) in place.
  void (*dropout)(Number* x, DropoutMask, std::int64_t first, std::int64_t count);
  /// The gradient before a rectifier with dropout behind it, whose result was y; adds its column sums.
  void (*relu_gradient)(const Number* gradient, const Number* y, Number* x_gradient, float scale,
                        float* column_sums, std::int64_t rows, std::int64_t width);
  void (*gelu)(const Number* x, Number* y, DropoutMask, std::int64_t first, std::int64_t count);
  /// The gradient before a gelu of x with dropout behind it.
  void (*gelu_gradient)(const Number* gradient, const Number* x, Number* x_gradient, DropoutMask,
                        std::int64_t first, std::int64_t count);
  /// row = dropout(scale * table_row + position_row); position_row may be null.
  void (*embed_row)(const float* table_row, const float* position_row, float scale, Number* y, DropoutMask,
                    std::int64_t row, std::int64_t width);
  /// table_row += scale * dropout(gradient), position_row += dropout(gradient); either may be null.
  void (*embed_row_gradient)(const Number* gradient, float scale, float* table_row, float* position_row,
                             DropoutMask, std::int64_t row, std::int64_t width);

  /// Softmax and loss over rows of logits [rows, vocabulary]. Writes the gradient of each row's loss, unless
  /// `gradient` is null; it may lie where the logits do. A target of -1 means no loss. Adds to loss (label
  /// smoothed) and cross_entropy, each row's times its weight (null: 1); log_probabilities (one per row,
  /// without weight) may be null.
  void (*cross_entropy)(float* logits, Number* gradient, const std::int32_t* targets, const float* weights,
                        std::int64_t rows, std::int64_t vocabulary, float label_smoothing, double* loss,
                        double* cross_entropy, float* log_probabilities);

  /// Rows of x to 8 bits: x is about (byte - 128) * scale of its row.
  void (*quantise_rows)(const Number* x, std::uint8_t* bytes, float* scales, std::int64_t rows,
                        std::int64_t width);
  /// y = (sums + offset of the column) * scale of the row * scale of the column + bias, which may be null;
  /// negative results 0 if `relu`.
  void (*scale_sums)(const std::int32_t* sums, const float* row_scales, const float* column_scales,
                     const std::int32_t* column_offsets, const float* bias, bool relu, Number* y,
                     std::int64_t y_stride, std::int64_t rows, std::int64_t columns);

  // Recurrent networks.
  CellKernels<Number> cells[3];  ///< by Cell
  void (*tanh)(const Number* x, Number* y, std::int64_t count);
  void (*tanh_gradient)(const Number* gradient, const Number* y, Number* x_gradient, bool accumulate,
                        std::int64_t count);
  /// weights: [query_count, key_count]; scratch: score_scratch(key_count) numbers.
  void (*score_keys)(const ScoredHead<Number>&, float* weights, float* scratch);
  std::int64_t (*score_scratch)(std::int64_t key_count);
  void (*score_keys_gradient)(const ScoredHead<Number>&, const float* weights, const float* weight_gradient,
                              const ScoredHeadGradient&);
  void (*mix_values)(const MixedHead<Number>&, Number* context, std::int64_t context_stride);
  /// Adds to both: value_gradient [key_count, width] without gaps, weight_gradient as the weights (may be
  /// null).
  void (*mix_values_gradient)(const MixedHead<Number>&, const Number* context_gradient,
                              std::int64_t context_stride, float* value_gradient, float* weight_gradient);

  // Attention.
  std::int64_t (*attention_scratch)(std::int64_t query_count, std::int64_t key_count,
                                    std::int64_t head_width);
  void (*attention)(const AttentionHead<Number>&, Number* result, std::int64_t result_stride, float* log_sums,
                    float* scratch);
  void (*attention_gradient)(const AttentionHead<Number>&, const AttentionHeadGradient<Number>&,
                             float* scratch);
  /// Query rows that each see rows of their own, over all heads: see AttendedRows. scratch: attend_scratch.
  std::int64_t (*attend_scratch)(std::int64_t most_keys, std::int64_t heads, std::int64_t head_width);
  void (*attend_rows)(const AttendedRows<Number>&, Number* result, float* scratch);
};

/// The loops of the project's own: one set per instruction set. Sizes count numbers.
struct Kernels {
  const char* name;  ///< of the instruction set

  // Sums and steps over flat arrays of weights and their gradients.
  void (*add_scaled)(float* to, const float* from, float scale, std::int64_t count);
  double (*sum_of_squares)(const float* values, std::int64_t count);
  void (*adam)(const AdamStep&, float* weights, float* first, float* second, const float* gradients,
               std::int64_t count);
  /// Rounds to the nearest bf16, ties to even.
  void (*narrow)(const float* from, Bf16* to, std::int64_t count);
  void (*widen)(const Bf16* from, float* to, std::int64_t count);
  /// Rounds to int8 with the scale that makes the largest ±127, and back.
  void (*quantise)(const float* from, std::int8_t* to, float* scale, std::int64_t count);
  void (*dequantise)(const std::int8_t* from, float scale, float* to, std::int64_t count);

  /// Adds a panel of `count` scores, those of the tokens from `first` on: keeps the best, equal ones by lower
  /// id, and sums up the exponentials. Panels of a row come in their order.
  void (*add_tokens)(const float* scores, std::int64_t first, std::int64_t count, TopTokens&);

  ActivationKernels<float> f32;
  ActivationKernels<Bf16> bf16;
  template <class Number>
  const ActivationKernels<Number>& of() const;
};
template <>
inline const ActivationKernels<float>& Kernels::of<float>() const {
  return f32;
}
template <>
inline const ActivationKernels<Bf16>& Kernels::of<Bf16>() const {
  return bf16;
}

/// The loops for this processor, chosen once: AVX-512 with or without bf16, AVX2, or portable ones.
const Kernels& kernels();

/// True if the processor has instructions that multiply bf16 numbers.
bool has_native_bf16();

}  // namespace gloss
