#pragma once

#include <cstdint>

namespace gloss {

/// Which numbers dropout keeps: number i of an array is kept if a hash of (key, i) is at least `threshold`.
/// The same key gives the same mask again, so that masks are recomputed and never stored.
struct DropoutMask {
  std::uint64_t key = 0;
  std::uint32_t threshold = 0;  ///< 0 keeps all
  float scale = 1.0f;           ///< of what is kept: 1 / (1 - rate)
};

/// A head's share of an attention: strides are numbers from one row to the next.
struct AttentionHead {
  const float* queries;  ///< [query_count, head_width]
  const float* keys;     ///< [key_count, head_width]
  const float* values;
  std::int64_t query_stride, key_stride, value_stride;
  std::int64_t query_count, key_count, head_width;
  float scale;  ///< of the scores, 1 / sqrt(head_width)
  bool causal;  ///< query i sees keys 0 .. i
  DropoutMask dropout;
  std::int64_t dropout_start;  ///< index of the first weight; weight (i, j) is start + i * key_count + j
};

/// What a head's gradient needs besides.
struct AttentionHeadGradient {
  const float* result;           ///< of the forward pass
  const float* result_gradient;  ///< both [query_count, head_width] with result_stride
  std::int64_t result_stride;
  const float* log_sums;  ///< [query_count] as the forward pass gave them
  float* queries;         ///< gradients to add to; strides as the operands
  float* keys;
  float* values;
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

/// The loops of the project's own: one set per instruction set. All arrays are f32; sizes count numbers.
struct Kernels {
  const char* name;  ///< of the instruction set

  // Sums and steps over flat arrays.
  void (*add)(float* to, const float* from, std::int64_t count);
  void (*add_scaled)(float* to, const float* from, float scale, std::int64_t count);
  double (*sum_of_squares)(const float* values, std::int64_t count);
  void (*adam)(const AdamStep&, float* weights, float* first, float* second, const float* gradients,
               std::int64_t count);

  // Rows [rows, width]. Row r counts dropout's numbers from r * width on.
  void (*add_dropout)(const float* base, const float* branch, float* sum, DropoutMask, std::int64_t first_row,
                      std::int64_t rows, std::int64_t width);
  void (*dropout_gradient)(const float* gradient, float* branch, bool accumulate, DropoutMask,
                           std::int64_t first_row, std::int64_t rows, std::int64_t width);
  /// normalised, deviations may be null if no gradient is wanted.
  void (*layer_norm)(const float* x, const float* gain, const float* bias, float* y, float* normalised,
                     float* inverse_deviations, std::int64_t rows, std::int64_t width);
  void (*layer_norm_gradient)(const float* gradient, const float* normalised, const float* inverse_deviations,
                              const float* gain, float* x_gradient, bool accumulate, float* gain_gradient,
                              float* bias_gradient, std::int64_t rows, std::int64_t width);
  void (*add_column_sums)(const float* rows_of_numbers, float* sums, std::int64_t rows, std::int64_t width);
  void (*relu)(const float* x, float* y, DropoutMask, std::int64_t first, std::int64_t count);
  void (*relu_gradient)(const float* gradient, const float* y, float* x_gradient, bool accumulate,
                        float scale, std::int64_t count);
  void (*gelu)(const float* x, float* y, DropoutMask, std::int64_t first, std::int64_t count);
  void (*gelu_gradient)(const float* gradient, const float* x, float* x_gradient, bool accumulate,
                        DropoutMask, std::int64_t first, std::int64_t count);
  /// row = dropout(scale * table[id] + position_row); position_row may be null.
  void (*embed_row)(const float* table_row, const float* position_row, float scale, float* y, DropoutMask,
                    std::int64_t row, std::int64_t width);

  // Softmax and loss over rows of logits [rows, vocabulary].
  /// Turns each row into the gradient of its loss (if `want_gradient`); a target of -1 means no loss. Adds to
  /// loss (label smoothed) and cross_entropy, each row's times its weight (null: 1); log_probabilities (one
  /// per row, without weight) may be null.
  void (*cross_entropy)(float* logits, const std::int32_t* targets, const float* weights, std::int64_t rows,
                        std::int64_t vocabulary, float label_smoothing, bool want_gradient, double* loss,
                        double* cross_entropy, float* log_probabilities);
  /// Puts the `count` tokens of a row with the largest scores into `best`, best first, equal ones by lower
  /// id; at most `vocabulary`. Returns log(sum(exp(scores))), which is no finite number if a score is none or
  /// all are -infinity.
  double (*top_tokens)(const float* scores, std::int64_t vocabulary, std::int64_t count, ScoredToken* best);

  // Attention.
  std::int64_t (*attention_scratch)(std::int64_t query_count, std::int64_t key_count,
                                    std::int64_t head_width);
  void (*attention)(const AttentionHead&, float* result, std::int64_t result_stride, float* log_sums,
                    float* scratch);
  void (*attention_gradient)(const AttentionHead&, const AttentionHeadGradient&, float* scratch);
  /// One query row over all heads; keys[t] points at the keys of position t, its values right behind them.
  /// scratch: heads * (key_count rounded up to whole vectors).
  void (*attend_row)(const float* query, const float* const* keys, std::int64_t key_count, std::int64_t heads,
                     std::int64_t head_width, float scale, float* result, float* scratch);
};

/// The loops for this processor, chosen once: AVX-512, AVX2, or portable ones.
const Kernels& kernels();

}  // namespace gloss
