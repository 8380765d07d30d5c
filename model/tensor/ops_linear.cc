#include "base/error.h"
#include "model/tensor/matmul.h"
#include "model/tensor/ops.h"
#include "model/tensor/threads.h"

namespace gloss {

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const std::int64_t rows = x.rows(), in = x.columns(), out = weight.rows();
  expects(weight.columns() == in, "linear: x ", x.shape().text(), ", weight ", weight.shape().text());
  Tensor y = Tensor::uninitialised({rows, out});
  matmul({.m = rows, .n = out, .k = in, .transpose_b = true, .bias = bool(bias)}, x.data(), weight.data(),
         y.data(), bias ? bias.data() : nullptr);

  std::vector<Tensor> inputs{x, weight};
  if (bias) inputs.push_back(bias);
  return record(y, std::move(inputs), [rows, in, out](const Tensor& result, std::span<const Tensor> of) {
    const float* dy = result.gradient().data();
    if (of[0].wants_gradient()) {
      const GradientSlot dx = of[0].gradient_slot();
      matmul({.m = rows, .n = in, .k = out, .accumulate = dx.accumulate}, dy, of[1].data(), dx.values);
    }
    if (of[1].wants_gradient()) {
      const GradientSlot dw = of[1].gradient_slot();
      matmul({.m = out, .n = in, .k = rows, .transpose_a = true, .accumulate = dw.accumulate}, dy,
             of[0].data(), dw.values);
    }
    if (of.size() > 2 && of[2].wants_gradient()) {
      float* db = of[2].gradient().data();
      kernels().add_column_sums(dy, db, rows, out);
    }
  });
}

}  // namespace gloss
