// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <type_traits>

#include "base/error.h"
#include "base/index.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"
#include "model/tensor/stored_matrix.h"
#include "model/tensor/weight_product.h"

namespace gloss {
namespace {

const ProfiledOperation kLogits("loss: logits");
const ProfiledOperation kSoftmax("loss: softmax and gradient");
const ProfiledOperation kHiddenGradient("loss: gradient of inputs");
const ProfiledOperation kLossWeightGradient("loss: gradient of weights");

constexpr std::int64_t kLogitsAtOnce = 4 << 20;  // elements: a block of rows that fits in the cache
constexpr std::int64_t kLossRowGrain = 8;

/// Computes logits block by block of rows.
class LogitBlocks {
 public:
  LogitBlocks(const Tensor& hidden, const OutputLayer& output)
      : hidden_(hidden),
        weight_(output.weight),
        bias_(output.bias),
        rows_(hidden.rows()),
        vocabulary_(output.weight.rows()) {
    expects(weight_.columns() == hidden.columns(), "cross-entropy: hidden ", hidden.shape().text(),
            ", weight ", weight_.shape().text());
    block_ = std::max<std::int64_t>(64, kLogitsAtOnce / vocabulary_ / 64 * 64);
    logits_ = Tensor::uninitialised({largest(), vocabulary_});
  }

  /// Number of rows of the largest block.
  std::int64_t largest() const { return std::min(block_, rows_); }

  /// [largest, vocabulary]: buffer for each block's logits.
  const Tensor& logits() const { return logits_; }

  /// Calls `use(first row, rows, logits)` for every block.
  template <class Use>
  void each(Use use) const {
    for (std::int64_t first = 0; first < rows_; first += block_) {
      const std::int64_t count = std::min(block_, rows_ - first), width = weight_.columns();
      {
        const ProfiledTime time(kLogits, 2 * count * width * vocabulary_, 4 * count * vocabulary_);
        multiply_by_weight({.rows = count, .type = hidden_.dtype(), .bias = bias_ ? bias_.data() : nullptr},
                           hidden_.raw_row(first), weight_, logits_.data());
      }
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

/// A block of rows of logits and the outputs of its loss.
struct LossBlock {
  float* logits;  // [targets, vocabulary]
  std::span<const std::int32_t> targets;
  std::int64_t vocabulary;
  const float* weights = nullptr;  // [targets]: weight of each row's loss; null: all 1
  double label_smoothing = 0;
  double r_drop = 0;
  Tensor slopes = {};                  // written: gradient of the logits in its dtype; empty: not requested
  float* log_probabilities = nullptr;  // [targets]: written; null: not requested
};

/// Sums over the rows, computed on the operation's threads and added in the order of fixed parts.
Sums block_loss(const LossBlock& block) {
  const auto rows = static_cast<std::int64_t>(block.targets.size()), vocabulary = block.vocabulary;
  const Tensor& slopes = block.slopes;
  const std::int64_t parts = ceil_div(rows, kLossRowGrain);
  std::vector<Sums> sums(index(parts));
  const ProfiledTime time(kSoftmax, 20 * rows * vocabulary, 4 * rows * vocabulary * (slopes ? 4 : 2));
  for_dtype(slopes ? slopes.dtype() : DType::f32, [&]<class Number>() {
    parallel_ranges(parts, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p) {
        const std::int64_t row = p * kLossRowGrain;
        Sums& own = sums[index(p)];
        const auto& of_type = kernels().of<Number>();
        (block.r_drop > 0 ? of_type.paired_cross_entropy : of_type.cross_entropy)(
            {.logits = block.logits + row * vocabulary,
             .gradient = slopes ? slopes.data_as<Number>() + row * vocabulary : nullptr,
             .targets = block.targets.data() + row,
             .weights = block.weights == nullptr ? nullptr : block.weights + row,
             .rows = std::min(kLossRowGrain, rows - row),
             .vocabulary = vocabulary,
             .label_smoothing = static_cast<float>(block.label_smoothing),
             .r_drop = static_cast<float>(block.r_drop),
             .loss = &own.loss,
             .cross_entropy = &own.cross_entropy,
             .log_probabilities =
                 block.log_probabilities == nullptr ? nullptr : block.log_probabilities + row});
      }
    });
  });
  Sums total;
  for (const Sums& part : sums) {
    total.loss += part.loss;
    total.cross_entropy += part.cross_entropy;
  }
  return total;
}

/// Moves a share of the loss of rows from their targets to their soft targets: both differ only in a few
/// tokens, since the log-sum-exp of the logits is the same.
class SoftShare {
 public:
  SoftShare(const WantedShares& wanted, std::span<const std::int32_t> targets, std::span<const float> weights)
      : soft_(wanted.soft_weight > 0 ? wanted.soft : nullptr),
        weight_(static_cast<float>(wanted.soft_weight)),
        targets_(targets),
        weights_(weights) {}

  /// The label smoothing of the whole loss.
  double smoothing(double of_targets) const {
    return soft_ != nullptr ? of_targets * (1 - static_cast<double>(weight_)) : of_targets;
  }
  /// What the share adds to the loss of a block of rows from row `first` on.
  double loss(std::int64_t first, std::int64_t count, std::int64_t vocabulary, const float* logits) const {
    double sum = 0;
    each(first, count, [&](std::int64_t row, std::int32_t token, float factor) {
      sum += static_cast<double>(factor) * static_cast<double>(logits[(row - first) * vocabulary + token]);
    });
    return sum;
  }
  /// Adds its gradient to that of the logits of the block.
  void add_slopes(std::int64_t first, std::int64_t count, const Tensor& slopes) const {
    for_dtype(slopes.dtype(), [&]<class Number>() {
      each(first, count, [&](std::int64_t row, std::int32_t token, float factor) {
        Number* const to = slopes.data_as<Number>() + (row - first) * slopes.columns() + token;
        if constexpr (std::is_same_v<Number, float>) {
          *to += factor;
        } else {
          float sum = 0;
          widen_row({slopes.dtype(), to, nullptr, 1, 1}, 0, &sum);
          sum += factor;
          kernels().narrow(&sum, to, 1);
        }
      });
    });
  }

 private:
  /// Calls `use(row, token, factor)` for the target and the soft targets of each row: the loss grows by the
  /// factor times the token's logit.
  template <class Use>
  void each(std::int64_t first, std::int64_t count, Use use) const {
    if (soft_ == nullptr) return;
    for (std::int64_t row = first; row < first + count; ++row) {
      if (targets_[index(row)] < 0) continue;
      const float whole = weights_.empty() ? weight_ : weight_ * weights_[index(row)];
      use(row, targets_[index(row)], whole);
      for (std::int64_t i = row * soft_->per_row; i < (row + 1) * soft_->per_row; ++i) {
        use(row, soft_->tokens[index(i)], -whole * soft_->shares[index(i)]);
      }
    }
  }

  const SoftTargets* soft_;
  float weight_;
  std::span<const std::int32_t> targets_;
  std::span<const float> weights_;
};

void check_soft(const WantedShares& wanted, std::span<const std::int32_t> targets, std::int64_t vocabulary) {
  if (wanted.soft == nullptr || wanted.soft_weight == 0) return;
  const SoftTargets& soft = *wanted.soft;
  const auto rows = index(std::ranges::count_if(targets, [](std::int32_t target) { return target >= 0; }));
  expects(soft.per_row > 0 && soft.tokens.size() >= rows * index(soft.per_row) &&
              soft.shares.size() == soft.tokens.size(),
          "cross-entropy: ", soft.tokens.size(), " soft targets, ", soft.per_row, " for each of ", rows,
          " rows");
  for (const std::int32_t token : soft.tokens) {
    expects(token >= 0 && token < vocabulary, "cross-entropy: soft target ", token, " of ", vocabulary);
  }
}

void multiply(const Tensor& tensor, float factor) {
  if (factor == 1.0f) return;  // backward starts from this loss alone
  for_dtype(tensor.dtype(), [&]<class Number>() {
    kernels().of<Number>().multiply(tensor.data_as<Number>(), factor, tensor.count());
  });
}

void check_targets(std::span<const std::int32_t> targets, const Tensor& hidden, const Tensor& weight) {
  expects(static_cast<std::int64_t>(targets.size()) == hidden.rows(), "cross-entropy: ", targets.size(),
          " targets for hidden ", hidden.shape().text());
  for (const std::int32_t target : targets) {
    expects(target >= -1 && target < weight.rows(), "cross-entropy: target ", target, " of ", weight.rows());
  }
}

void check_pairs(std::span<const std::int32_t> targets) {
  expects(targets.size() % 2 == 0, "cross-entropy: ", targets.size(), " rows in pairs");
  for (std::size_t i = 0; i < targets.size(); i += 2) {
    expects(targets[i] == targets[i + 1], "cross-entropy: a pair with targets ", targets[i], " and ",
            targets[i + 1]);
  }
}

}  // namespace

CrossEntropy softmax_cross_entropy(const Tensor& hidden, const OutputLayer& output,
                                   std::span<const std::int32_t> targets, std::span<const float> weights,
                                   const WantedShares& wanted) {
  const Tensor& weight = output.weight;
  const Tensor& bias = output.bias;
  check_targets(targets, hidden, weight);
  check_soft(wanted, targets, weight.rows());
  if (wanted.r_drop > 0) check_pairs(targets);
  expects(weights.empty() || weights.size() == targets.size(), "cross-entropy: ", weights.size(),
          " weights for ", targets.size(), " targets");
  std::vector<Tensor> inputs{hidden, weight};
  if (bias) inputs.push_back(bias);
  const bool keep = any_wants_gradient(inputs);
  const std::int64_t width = hidden.columns(), vocabulary = weight.rows();
  const DType type = hidden.dtype();
  // The gradients are computed while a block's logits are in memory; backward only scales and adds them.
  const Tensor dhidden = keep ? Tensor::uninitialised(hidden.shape(), type) : Tensor();
  const Tensor dweight = keep ? Tensor::uninitialised(weight.shape()) : Tensor();
  const Tensor dbias = keep && bias ? Tensor::zeros(bias.shape()) : Tensor();
  const LogitBlocks blocks(hidden, output);
  const Tensor slopes = !keep                ? Tensor()
                        : type == DType::f32 ? blocks.logits()  // in place
                                             : Tensor::uninitialised({blocks.largest(), vocabulary}, type);
  const SoftShare soft(wanted, targets, weights);
  Sums total;
  blocks.each([&](std::int64_t first, std::int64_t count, float* logits) {
    total.loss += soft.loss(first, count, vocabulary, logits);
    const Sums sums = block_loss({.logits = logits,
                                  .targets = targets.subspan(index(first), index(count)),
                                  .vocabulary = vocabulary,
                                  .weights = weights.empty() ? nullptr : weights.data() + first,
                                  .label_smoothing = soft.smoothing(wanted.label_smoothing),
                                  .r_drop = wanted.r_drop,
                                  .slopes = slopes});
    total.loss += sums.loss;
    total.cross_entropy += sums.cross_entropy;
    if (!keep) return;
    soft.add_slopes(first, count, slopes);
    const std::int64_t work = 2 * count * width * vocabulary;
    {
      const ProfiledTime time(kHiddenGradient, work, count * vocabulary * std::int64_t(size_of(type)));
      matmul({.m = count, .n = width, .k = vocabulary, .type = type, .result = type}, slopes.raw(),
             weight.as(type).raw(), dhidden.raw_row(first));
    }
    const ProfiledTime time(kLossWeightGradient, work, count * vocabulary * std::int64_t(size_of(type)));
    matmul(
        {.m = vocabulary, .n = width, .k = count, .transpose_a = true, .accumulate = first > 0, .type = type},
        slopes.raw(), hidden.raw_row(first), dweight.data());
    if (!dbias) return;
    for_dtype(type, [&]<class Number>() {
      kernels().of<Number>().add_column_sums(slopes.data_as<Number>(), dbias.data(), count, vocabulary);
    });
  });
  const auto loss = static_cast<float>(total.loss);
  inputs.front() = hidden.without_values();
  Tensor sum = record(Tensor::of({1}, std::span(&loss, 1)), std::move(inputs),
                      [=](const Tensor& gradient, std::span<const Tensor> of) {
                        const Tensor made[] = {dhidden, dweight, dbias};
                        for (std::size_t i = 0; i < of.size(); ++i) {
                          if (!of[i].wants_gradient()) continue;
                          multiply(made[i], gradient.data()[0]);
                          of[i].hand_gradient(made[i]);
                        }
                      });
  return {std::move(sum), total.cross_entropy};
}

std::vector<float> target_log_probabilities(const Tensor& hidden, const OutputLayer& output,
                                            std::span<const std::int32_t> targets) {
  check_targets(targets, hidden, output.weight);
  std::vector<float> all(targets.size());
  LogitBlocks(hidden, output).each([&](std::int64_t first, std::int64_t count, float* logits) {
    block_loss({.logits = logits,
                .targets = targets.subspan(index(first), index(count)),
                .vocabulary = output.weight.rows(),
                .log_probabilities = all.data() + first});
  });
  return all;
}

}  // namespace gloss
