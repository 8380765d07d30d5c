// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/packed_matrix.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_sums.h"
#include "model/tensor/weight_product.h"

namespace gloss {
namespace {

const ProfiledOperation kLinearProducts("linear: products");
const ProfiledOperation kVocabularyScores("vocabulary scores");
const ProfiledOperation kInputGradient("linear: gradient of inputs");
const ProfiledOperation kLinearWeightGradient("linear: gradient of weights");
const ProfiledOperation kBiasGradient("linear: gradient of biases");
const ProfiledOperation kLinearActivation("activation");
const ProfiledOperation kLinearActivationGradient("linear: gradient of activation");

constexpr std::int64_t kLinearCountGrain = 16384;  // minimum elements per thread; whole vectors

/// x · weightᵀ + bias, then ReLU if `relu`.
Tensor product(const Tensor& x, const Tensor& weight, const Tensor& bias, bool relu) {
  const std::int64_t rows = x.rows(), in = x.columns(), out = weight.rows();
  expects(weight.columns() == in, "linear: x ", x.shape().text(), ", weight ", weight.shape().text());
  Tensor y = Tensor::uninitialised({rows, out}, x.dtype());
  const ProfiledTime time(kLinearProducts, 2 * rows * in * out, x.bytes() + y.bytes() + weight.bytes());
  multiply_by_weight({.rows = rows,
                      .type = x.dtype(),
                      .result = x.dtype(),
                      .bias = bias ? bias.data() : nullptr,
                      .relu = relu},
                     x.raw(), weight, y.raw());
  return y;
}

/// Computes the gradients of x and weight from the gradient of their product.
void product_gradient(const Tensor& dy, std::span<const Tensor> of) {
  const std::int64_t rows = dy.rows(), out = dy.columns(), in = of[1].columns();
  const DType type = dy.dtype();
  if (of[0].wants_gradient()) {
    const Tensor w = of[1].as(type);
    const GradientSlot dx = of[0].gradient_slot();
    const ProfiledTime time(kInputGradient, 2 * rows * in * out,
                            dy.bytes() + (1 + dx.accumulate) * dx.values.bytes() + w.bytes());
    matmul({.m = rows, .n = in, .k = out, .accumulate = dx.accumulate, .type = type, .result = type},
           dy.raw(), w.raw(), dx.values.raw());
  }
  if (of[1].wants_gradient()) {
    const GradientSlot dw = of[1].gradient_slot();
    const ProfiledTime time(kLinearWeightGradient, 2 * rows * in * out,
                            dy.bytes() + of[0].bytes() + (1 + dw.accumulate) * dw.values.bytes());
    const auto sum_products = [&](std::int64_t m, const Tensor& a, std::int64_t n, const Tensor& b) {
      matmul({.m = m, .n = n, .k = rows, .transpose_a = true, .accumulate = dw.accumulate, .type = type},
             a.raw(), b.raw(), dw.values.raw());
    };
    // A product needs at least two rows; a single row is computed as a column instead.
    if (out > 1) sum_products(out, dy, in, of[0]);
    if (out == 1) sum_products(in, of[0], out, dy);
  }
}

void bias_gradient(const Tensor& dy, const Tensor& bias) {
  const ProfiledTime time(kBiasGradient, dy.count(), dy.bytes());
  const std::int64_t width = dy.columns();
  for_dtype(dy.dtype(), [&]<class Number>() {
    bias.hand_gradient(
        sums_over_rows(dy.rows(), width, [&](std::int64_t row, std::int64_t rows, float* sums) {
          kernels().of<Number>().add_column_sums(dy.data_as<Number>() + row * width, sums, rows, width);
        }));
  });
}

std::vector<Tensor> inputs_of(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  std::vector<Tensor> inputs{x, weight};
  if (bias) inputs.push_back(bias);
  return inputs;
}

void check_scores(const Tensor& hidden, const OutputLayer& output) {
  expects(output.weight.columns() == hidden.columns(), "vocabulary_scores: hidden ", hidden.shape().text(),
          ", weight ", output.weight.shape().text());
  expects(!output.bias || output.bias.count() == output.weight.rows(), "vocabulary_scores: weight ",
          output.weight.shape().text(), ", bias ", output.bias ? output.bias.shape().text() : "");
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return record(product(x, weight, bias, false), inputs_of(x, weight, bias),
                [](const Tensor& dy, std::span<const Tensor> of) {
                  product_gradient(dy, of);
                  if (of.size() > 2 && of[2].wants_gradient()) bias_gradient(dy, of[2]);
                });
}

Tensor linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias, const DropoutMask& mask) {
  const Tensor y = product(x, weight, bias, true);
  if (mask.threshold > 0) {
    const ProfiledTime time(kLinearActivation, y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(y.count(), kLinearCountGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().dropout(y.data_as<Number>() + first, mask, first, last - first);
      });
    });
  }
  const Tensor kept = y.without_gradient();
  return record(y, inputs_of(x, weight, bias),
                [kept, scale = mask.scale](const Tensor& dy, std::span<const Tensor> of) {
                  // Positive results passed both ReLU and dropout.
                  const std::int64_t width = dy.columns();
                  const Tensor before = Tensor::uninitialised(dy.shape(), dy.dtype());
                  Tensor sums;
                  {
                    const ProfiledTime time(kLinearActivationGradient, dy.count(), 3 * dy.bytes());
                    for_dtype(dy.dtype(), [&]<class Number>() {
                      sums = sums_over_rows(
                          dy.rows(), width, [&](std::int64_t row, std::int64_t rows, float* block_sums) {
                            const std::int64_t at = row * width;
                            kernels().of<Number>().relu_gradient({.gradient = dy.data_as<Number>() + at,
                                                                  .y = kept.data_as<Number>() + at,
                                                                  .x = before.data_as<Number>() + at,
                                                                  .scale = scale,
                                                                  .column_sums = block_sums},
                                                                 rows, width);
                          });
                    });
                  }
                  if (of.size() > 2 && of[2].wants_gradient()) of[2].hand_gradient(sums);
                  product_gradient(before, of);
                });
}

Tensor vocabulary_scores(const Tensor& hidden, const OutputLayer& output) {
  const Tensor& weight = output.weight;
  check_scores(hidden, output);
  Tensor y = Tensor::uninitialised({hidden.rows(), weight.rows()});
  const ProfiledTime time(kVocabularyScores, 2 * hidden.count() * weight.rows(),
                          hidden.bytes() + y.bytes() + weight.bytes());
  multiply_by_weight(
      {.rows = hidden.rows(), .type = hidden.dtype(), .bias = output.bias ? output.bias.data() : nullptr},
      hidden.raw(), weight, y.raw());
  return y;
}

void top_vocabulary_scores(const Tensor& hidden, const OutputLayer& output, std::int64_t rows,
                           const TopScores::Wanted& wanted, TopScores& scores) {
  const Tensor& weight = output.weight;
  check_scores(hidden, output);
  scores.begin(rows, weight.rows(), wanted);
  if (weight.packed() == nullptr) {
    const Tensor all = vocabulary_scores(hidden, output);
    for (std::int64_t row = 0; row < rows; ++row) scores.add_row(row, all.data() + row * all.columns());
    return;
  }
  const ProfiledTime time(kVocabularyScores, 2 * hidden.count() * weight.rows(),
                          hidden.bytes() + weight.bytes());
  weight.packed()->multiply_by_panels(
      {.rows = hidden.rows(), .bias = output.bias ? output.bias.data() : nullptr, .type = hidden.dtype()},
      hidden.raw(), [&](std::int64_t row, std::int64_t first, std::int64_t count, const float* panel) {
        if (row < rows) scores.add(row, first, count, panel);
      });
}

}  // namespace gloss
