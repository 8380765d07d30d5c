#include <algorithm>

#include "base/error.h"
#include "model/tensor/matmul.h"
#include "model/tensor/ops.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

constexpr std::int64_t kLogitsAtOnce = 4 << 20;  // numbers: a block of rows stays near the processor
constexpr std::int64_t kRowGrain = 8;

/// The logits of blocks of rows, one after the other.
class LogitBlocks {
 public:
  LogitBlocks(const Tensor& hidden, const Tensor& weight, const Tensor& bias)
      : hidden_(hidden), weight_(weight), bias_(bias), rows_(hidden.rows()), vocabulary_(weight.rows()) {
    expects(weight.columns() == hidden.columns(), "cross-entropy: hidden ", hidden.shape().text(),
            ", weight ", weight.shape().text());
    block_ = std::max<std::int64_t>(64, kLogitsAtOnce / vocabulary_ / 64 * 64);
    logits_ = Tensor::uninitialised({std::min(block_, rows_), vocabulary_});
  }

  /// Calls `use(first row, rows, logits)` for every block.
  template <class Use>
  void each(Use use) const {
    for (std::int64_t first = 0; first < rows_; first += block_) {
      std::int64_t count = std::min(block_, rows_ - first);
      matmul({.m = count, .n = vocabulary_, .k = weight_.columns(), .transpose_b = true, .bias = bool(bias_)},
             hidden_.data() + first * hidden_.columns(), weight_.data(), logits_.data(),
             bias_ ? bias_.data() : nullptr);
      use(first, count, logits_.data());
    }
  }

 private:
  const Tensor &hidden_, &weight_, &bias_;
  std::int64_t rows_, vocabulary_, block_;
  Tensor logits_;
};

struct Sums {
  double loss = 0, cross_entropy = 0;
};

/// The loss loop over a block's rows on the operation's threads; sums are added in the order of fixed parts.
Sums block_loss(float* logits, std::span<const std::int32_t> targets, const float* weights,
                std::int64_t vocabulary, double smoothing, bool want_gradient, float* log_probabilities) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  const std::int64_t parts = (rows + kRowGrain - 1) / kRowGrain;
  std::vector<Sums> sums(static_cast<std::size_t>(parts));
  parallel_ranges(parts, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t p = first; p < last; ++p) {
      const std::int64_t row = p * kRowGrain;
      Sums& own = sums[static_cast<std::size_t>(p)];
      kernels().cross_entropy(
          logits + row * vocabulary, targets.data() + row, weights == nullptr ? nullptr : weights + row,
          std::min(kRowGrain, rows - row), vocabulary, static_cast<float>(smoothing), want_gradient,
          &own.loss, &own.cross_entropy, log_probabilities == nullptr ? nullptr : log_probabilities + row);
    }
  });
  Sums total;
  for (const Sums& part : sums) {
    total.loss += part.loss;
    total.cross_entropy += part.cross_entropy;
  }
  return total;
}

void check_targets(std::span<const std::int32_t> targets, const Tensor& hidden, const Tensor& weight) {
  expects(static_cast<std::int64_t>(targets.size()) == hidden.rows(), "cross-entropy: ", targets.size(),
          " targets for hidden ", hidden.shape().text());
  for (const std::int32_t target : targets) {
    expects(target >= -1 && target < weight.rows(), "cross-entropy: target ", target, " of ", weight.rows());
  }
}

}  // namespace

CrossEntropy softmax_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                   std::span<const std::int32_t> targets, std::span<const float> weights,
                                   double label_smoothing) {
  check_targets(targets, hidden, weight);
  expects(weights.empty() || weights.size() == targets.size(), "cross-entropy: ", weights.size(),
          " weights for ", targets.size(), " targets");
  std::vector<Tensor> inputs{hidden, weight};
  if (bias) inputs.push_back(bias);
  const bool keep = any_wants_gradient(inputs);
  const std::int64_t width = hidden.columns(), vocabulary = weight.rows();
  // The gradients are made while a block's logits are at hand; backward only scales and adds them.
  const Tensor dhidden = keep ? Tensor::uninitialised(hidden.shape()) : Tensor();
  const Tensor dweight = keep ? Tensor::uninitialised(weight.shape()) : Tensor();
  const Tensor dbias = keep && bias ? Tensor::zeros(bias.shape()) : Tensor();
  Sums total;
  LogitBlocks(hidden, weight, bias).each([&](std::int64_t first, std::int64_t count, float* logits) {
    const Sums sums = block_loss(
        logits, targets.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
        weights.empty() ? nullptr : weights.data() + first, vocabulary, label_smoothing, keep, nullptr);
    total.loss += sums.loss;
    total.cross_entropy += sums.cross_entropy;
    if (!keep) return;
    matmul({.m = count, .n = width, .k = vocabulary}, logits, weight.data(), dhidden.data() + first * width);
    matmul({.m = vocabulary, .n = width, .k = count, .transpose_a = true, .accumulate = first > 0}, logits,
           hidden.data() + first * width, dweight.data());
    if (dbias) kernels().add_column_sums(logits, dbias.data(), count, vocabulary);
  });
  const auto loss = static_cast<float>(total.loss);
  Tensor sum =
      record(Tensor::of({1}, std::span(&loss, 1)), std::move(inputs),
             [=](const Tensor& result, std::span<const Tensor> of) {
               const float scale = result.gradient().data()[0];
               const Tensor made[] = {dhidden, dweight, dbias};
               for (std::size_t i = 0; i < of.size(); ++i) {
                 if (!of[i].wants_gradient()) continue;
                 kernels().add_scaled(of[i].gradient().data(), made[i].data(), scale, made[i].count());
               }
             });
  return {std::move(sum), total.cross_entropy};
}

std::vector<float> target_log_probabilities(const Tensor& hidden, const Tensor& weight, const Tensor& bias,
                                            std::span<const std::int32_t> targets) {
  check_targets(targets, hidden, weight);
  std::vector<float> all(targets.size());
  LogitBlocks(hidden, weight, bias).each([&](std::int64_t first, std::int64_t count, float* logits) {
    block_loss(logits, targets.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)),
               nullptr, weight.rows(), 0, false, all.data() + first);
  });
  return all;
}

}  // namespace gloss
