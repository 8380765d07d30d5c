// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/activation.h"
#include "model/kernels/adam_step.h"
#include "model/kernels/attention_head.h"
#include "model/kernels/block_attention.h"
#include "model/kernels/cell.h"
#include "model/kernels/cell_row.h"
#include "model/kernels/convolution.h"
#include "model/kernels/dtype.h"
#include "model/kernels/instruction_set.h"
#include "model/kernels/int8_product.h"
#include "model/kernels/linear_head.h"
#include "model/kernels/row_block.h"
#include "model/kernels/scored_head.h"
#include "model/kernels/token_scores.h"

namespace gloss {

/// Kernels over activations stored as f32 or bf16 (`Number`), computed in f32. Parameters, statistics and
/// sums are f32.
template <class Number>
struct ActivationKernels {
  void (*add)(Number* to, const Number* from, std::int64_t count);
  void (*multiply)(Number* x, float factor, std::int64_t count);

  // Rows, see row_block.h.
  void (*add_dropout)(const ResidualSum<Number>&, const RowBlock&);
  void (*dropout_gradient)(const DropoutGradient<Number>&, const RowBlock&);
  void (*norm)(const NormalisedRows<Number>&, const RowBlock&);
  void (*norm_gradient)(const NormalisedRowsGradient<Number>&, const RowBlock&);
  void (*rotate)(const Rotation<Number>&);
  /// Adds the sums over rows [rows, width] to sums [width].
  void (*add_column_sums)(const Number* x, float* sums, std::int64_t rows, std::int64_t width);
  /// x = dropout(x) in place; `first` is the index of x[0] in the whole array.
  void (*dropout)(Number* x, DropoutMask, std::int64_t first, std::int64_t count);
  /// x = max(x, 0) in place; NaN remains.
  void (*relu)(Number* x, std::int64_t count);
  void (*relu_gradient)(const ReluGradient<Number>&, std::int64_t rows, std::int64_t width);
  void (*embed_row)(const EmbeddedRow<Number>&);
  void (*embed_row_gradient)(const EmbeddedRowGradient<Number>&);

  // Indexed by Activation, see activation.h.
  void (*activate[kActivations])(const Activated<Number>&);
  void (*activate_gradient[kActivations])(const ActivatedGradient<Number>&);
  void (*gate_rows[kActivations])(const GatedRows<Number>&, const RowBlock&);
  void (*gate_rows_gradient[kActivations])(const GatedRowsGradient<Number>&, const RowBlock&);

  void (*cross_entropy)(const CrossEntropyRows<Number>&);
  /// The same for rows 2 i and 2 i + 1 of the same target and weight, plus `r_drop` times the weighted mean
  /// of the two Kullback-Leibler divergences between their probabilities.
  void (*paired_cross_entropy)(const CrossEntropyRows<Number>&);

  // Products of int8, see int8_product.h.
  /// Quantises x [rows, in].
  void (*quantise_rows)(const Number* x, const Int8Rows& to);
  /// Quantises x [rows, width] and converts it back.
  void (*round_rows)(const Number* x, Number* y, std::int64_t rows, std::int64_t width);
  void (*multiply_int8)(const Int8Product<Number>&);

  // Recurrent networks, see cell_row.h and scored_head.h.
  CellKernels<Number> cells[3];  ///< indexed by Cell
  void (*tanh)(const Number* x, Number* y, std::int64_t count);
  void (*tanh_gradient)(const Number* gradient, const Number* y, Number* x_gradient, bool accumulate,
                        std::int64_t count);
  /// weights: [query_count, key_count]; scratch: score_scratch(key_count) numbers.
  void (*score_keys)(const ScoredHead<Number>&, float* weights, float* scratch);
  std::int64_t (*score_scratch)(std::int64_t key_count);
  void (*score_keys_gradient)(const ScoredHead<Number>&, const float* weights, const float* weight_gradient,
                              const ScoredHeadGradient&);
  void (*mix_values)(const MixedHead<Number>&, Number* context, std::int64_t context_stride);
  /// Adds to both gradients: value_gradient [key_count, width], contiguous; weight_gradient [query_count,
  /// key_count], may be null.
  void (*mix_values_gradient)(const MixedHead<Number>&, const Number* context_gradient,
                              std::int64_t context_stride, float* value_gradient, float* weight_gradient);

  // Convolutions, see convolution.h.
  /// weights: [taps, width].
  void (*convolve_channels)(const ConvolvedRows<Number>&, const float* weights);
  /// weights: [taps * taps, width].
  void (*convolve_grid)(const ConvolvedGrid<Number>&, const float* weights);
  /// Adds the gradient of the weights to sums [taps * taps, width], given that of y.
  void (*convolve_grid_gradient)(const ConvolvedGrid<Number>&, float* sums);
  /// Adds the gradient of the weights to sums [taps, width].
  void (*convolve_channels_gradient)(const ConvolutionGradient<Number>&, float* sums);
  void (*convolve_heads)(const ConvolvedRows<Number>&, const HeadTaps<Number>&);
  /// weights: [length, heads * taps], added to if `accumulate`, else written.
  void (*convolve_heads_gradient)(const ConvolutionGradient<Number>&, std::int64_t heads, Number* weights,
                                  bool accumulate);
  /// scratch: `size` numbers, rounded up to a multiple of 16.
  void (*softmax_groups)(const GroupedSoftmax<Number>&, float* scratch);
  void (*softmax_groups_gradient)(const GroupedSoftmaxGradient<Number>&);

  // Attention, see attention_head.h.
  /// Scratch that `attention` and `attention_gradient` need, in floats.
  std::int64_t (*attention_scratch)(std::int64_t query_count, std::int64_t key_count, std::int64_t head_width,
                                    std::int64_t window);
  /// result: [query_count, head_width]; log_sums: [query_count], saved for the gradient, may be null.
  void (*attention)(const AttentionHead<Number>&, Number* result, std::int64_t result_stride, float* log_sums,
                    float* scratch);
  void (*attention_gradient)(const AttentionHead<Number>&, const AttentionHeadGradient<Number>&,
                             float* scratch);
  /// The same to the keys of a pattern, for heads without a window that are not causal.
  std::int64_t (*block_attention_scratch)(std::int64_t rows, std::int64_t head_width, const BlockedKeys&);
  void (*block_attention)(const AttentionHead<Number>&, const BlockedKeys&, Number* result,
                          std::int64_t result_stride, float* log_sums, float* scratch);
  void (*block_attention_gradient)(const AttentionHead<Number>&, const BlockedKeys&,
                                   const AttentionHeadGradient<Number>&, float* scratch);
  // Linear attention, see linear_head.h. Scratch is linear_scratch(head width, features) floats.
  std::int64_t (*linear_scratch)(std::int64_t head_width, std::int64_t features);
  void (*linear_attention)(const LinearHead<Number>&, Number* result, std::int64_t result_stride,
                           float* scratch);
  void (*linear_attention_gradient)(const LinearHead<Number>&, const LinearHeadGradient<Number>&,
                                    float* scratch);
  // The same, causal. weight_sums: [count], saved for the gradient, may be null. state: receives that after
  // the last row, may be null. Scratch is causal_linear_scratch(...) floats, a state linear_state(...).
  std::int64_t (*causal_linear_scratch)(std::int64_t head_width, std::int64_t features);
  std::int64_t (*linear_state)(std::int64_t head_width, std::int64_t features);
  void (*causal_linear_attention)(const LinearHead<Number>&, Number* result, std::int64_t result_stride,
                                  float* weight_sums, float* state, float* scratch);
  void (*causal_linear_attention_gradient)(const LinearHead<Number>&, const LinearHeadGradient<Number>&,
                                           float* scratch);
  /// Rows of different sentences, each with a state.
  void (*continue_linear_attention)(const LinearHead<Number>&, const LinearSteps&, Number* result,
                                    std::int64_t result_stride, float* scratch);
  /// Scratch that `attend_rows` needs, in floats.
  std::int64_t (*attend_scratch)(std::int64_t most_keys, std::int64_t heads, std::int64_t head_width);
  /// result: [rows, heads * head_width].
  void (*attend_rows)(const AttendedRows<Number>&, Number* result, float* scratch);
};

/// All kernels of the project, one table per instruction set. Counts are elements, not bytes.
struct Kernels {
  // Flat arrays of weights and gradients.
  void (*add_scaled)(float* to, const float* from, float scale, std::int64_t count);
  double (*sum_of_squares)(const float* values, std::int64_t count);
  void (*adam)(const AdamStep&, const AdamWeights&);
  /// Rounds to the nearest bf16, ties to even.
  void (*narrow)(const float* from, Bf16* to, std::int64_t count);
  void (*widen)(const Bf16* from, float* to, std::int64_t count);
  /// Quantises to int8 with the scale that maps the largest magnitude to ±127.
  void (*quantise)(const float* from, std::int8_t* to, float* scale, std::int64_t count);
  void (*dequantise)(const std::int8_t* from, float scale, float* to, std::int64_t count);

  Int8Layout int8;
  /// Packs weights [out, in] into int8.packed_bytes(out, in) bytes.
  void (*pack_int8)(const std::int8_t* weights, std::int8_t* to, std::int64_t out, std::int64_t in);

  /// Adds a panel of scores, those of tokens `first` .. `first + count - 1`: keeps the best (ties: the lower
  /// id first) and sums the exponentials. The panels of a row come in order.
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

/// The kernels for `instruction_set()`.
const Kernels& kernels();
/// The kernels for an instruction set that the processor has.
Kernels kernels_of(InstructionSet);

/// True if the instruction set in use multiplies bf16 numbers faster than f32 numbers. Intel's processors
/// with AVX-512 FP16 do so with AMX only: where a virtual machine hides it, their bf16 products take longer.
bool has_fast_bf16();

}  // namespace gloss
