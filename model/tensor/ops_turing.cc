// SPDX-License-Identifier: Apache-2.0
// Operations of Neural Turing Machines: see ops_turing.h.
#include "model/tensor/ops_turing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/scored_spans.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

const ProfiledOperation kMachineStep("Turing machine: step");
const ProfiledOperation kMachineGradient("Turing machine: gradient");

constexpr std::int64_t kMachineGrain = 4;  // minimum rows per thread

float erased_share(float x) { return 1 / (1 + std::exp(-x)); }

/// The operands of one row and what follows from them.
class MachineRow {
 public:
  explicit MachineRow(const MachineSizes& sizes)
      : sizes_(sizes),
        controls_(index(sizes.controls())),
        erased_shares_(index(sizes.heads * sizes.width)),
        memory_(index(sizes.rows * sizes.width)),
        writing_(index(sizes.heads)),
        reading_(index(sizes.heads)) {}

  /// One step, with the row's controls and state before it.
  void run(const Tensor& controls, const Tensor& before, std::int64_t row) {
    widen_row(controls.stored(), row, controls_.data());
    before_ = before.data() + row * sizes_.state();
    std::copy_n(before_, memory_.size(), memory_.begin());
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      writing_[index(h)].compute(sizes_, write_controls(h), before_, weights_in(before_, h));
      std::transform(erased(h), erased(h) + sizes_.width, erased_shares_.data() + h * sizes_.width,
                     erased_share);
    }
    for (std::int64_t h = 0; h < sizes_.heads; ++h) erase(h);
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      each_element(h, [&](std::int64_t i, std::int64_t c, float weight) {
        memory_[index(i * sizes_.width + c)] += weight * added(h)[c];
      });
    }
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      reading_[index(h)].compute(sizes_, read_controls(h), memory_.data(),
                                 weights_in(before_, sizes_.heads + h));
    }
  }

  /// The state after the step.
  void write(float* after) const {
    float* to = std::ranges::copy(memory_, after).out;
    for (const HeadWeights& head : writing_) to = std::ranges::copy(head.weights, to).out;
    for (const HeadWeights& head : reading_) to = std::ranges::copy(head.weights, to).out;
    std::fill_n(to, sizes_.reads(), 0.0f);
    for (const HeadWeights& head : reading_) {
      for (std::int64_t i = 0; i < sizes_.rows; ++i) {
        add_scaled_row(memory_.data() + i * sizes_.width, head.weights[index(i)], to);
      }
      to += sizes_.width;
    }
  }

  /// The gradients of controls and state before, which are added, given that of the state after.
  void add_gradients(const float* after, float* controls, float* before) const {
    std::vector<float> memory(after, after + memory_.size());
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      const HeadWeights& head = reading_[index(h)];
      const float* read = after + sizes_.reads_start() + h * sizes_.width;
      const float* weights = weights_in(after, sizes_.heads + h);
      std::vector<float> sum(weights, weights + sizes_.rows);
      for (std::int64_t i = 0; i < sizes_.rows; ++i) {
        for (std::int64_t c = 0; c < sizes_.width; ++c) sum[index(i)] += read[c] * at(memory_, i, c);
        add_scaled_row(read, head.weights[index(i)], memory.data() + i * sizes_.width);
      }
      add_head_gradient(sizes_, head, read_controls(h), memory_.data(), weights_in(before_, sizes_.heads + h),
                        sum,
                        {controls + read_start(h), memory.data(), before + weights_place(sizes_.heads + h)});
    }
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      const float* weights = weights_in(after, h);
      std::vector<float> sum(weights, weights + sizes_.rows);
      float* const head_controls = controls + write_start(h);
      add_writing_gradient(h, memory, sum, head_controls + sizes_.address_controls());
      add_head_gradient(sizes_, writing_[index(h)], write_controls(h), before_, weights_in(before_, h), sum,
                        {head_controls, before, before + weights_place(h)});
    }
    for (std::int64_t i = 0; i < sizes_.rows; ++i) {
      for (std::int64_t c = 0; c < sizes_.width; ++c) {
        before[i * sizes_.width + c] += memory[index(i * sizes_.width + c)] * kept_share(i, c, -1);
      }
    }
  }

 private:
  std::int64_t write_start(std::int64_t head) const { return head * sizes_.write_controls(); }
  std::int64_t read_start(std::int64_t head) const {
    return sizes_.heads * sizes_.write_controls() + head * sizes_.address_controls();
  }
  const float* write_controls(std::int64_t head) const { return controls_.data() + write_start(head); }
  const float* read_controls(std::int64_t head) const { return controls_.data() + read_start(head); }
  /// What a head erases, before its activation, and adds.
  const float* erased(std::int64_t head) const { return write_controls(head) + sizes_.address_controls(); }
  const float* added(std::int64_t head) const { return erased(head) + sizes_.width; }
  /// Those of a head of a state, heads that write first.
  std::int64_t weights_place(std::int64_t head) const { return sizes_.weights_start() + head * sizes_.rows; }
  const float* weights_in(const float* state, std::int64_t head) const { return state + weights_place(head); }
  float at(const std::vector<float>& rows, std::int64_t i, std::int64_t c) const {
    return rows[index(i * sizes_.width + c)];
  }
  void add_scaled_row(const float* from, float factor, float* to) const {
    for (std::int64_t c = 0; c < sizes_.width; ++c) to[c] += factor * from[c];
  }

  /// Calls use(row, column, weight of the row) for each element of the memory.
  template <class Use>
  void each_element(std::int64_t head, const Use& use) const {
    for (std::int64_t i = 0; i < sizes_.rows; ++i) {
      for (std::int64_t c = 0; c < sizes_.width; ++c) use(i, c, writing_[index(head)].weights[index(i)]);
    }
  }
  void erase(std::int64_t head) {
    each_element(head, [&](std::int64_t i, std::int64_t c, float weight) {
      memory_[index(i * sizes_.width + c)] *= 1 - weight * at(erased_shares_, head, c);
    });
  }
  /// The share of an element that the heads leave, all but one of them; -1: all.
  float kept_share(std::int64_t i, std::int64_t c, std::int64_t but) const {
    float share = 1;
    for (std::int64_t h = 0; h < sizes_.heads; ++h) {
      if (h != but) share *= 1 - writing_[index(h)].weights[index(i)] * at(erased_shares_, h, c);
    }
    return share;
  }
  /// Adds to the gradient of a head's weights, and of what it erases and adds, given that of the memory
  /// after.
  void add_writing_gradient(std::int64_t head, const std::vector<float>& memory, std::vector<float>& weights,
                            float* controls) const {
    float *const to_erased = controls, *const to_added = controls + sizes_.width;
    each_element(head, [&](std::int64_t i, std::int64_t c, float weight) {
      const float slope = at(memory, i, c), share = at(erased_shares_, head, c);
      const float lost = slope * before_[i * sizes_.width + c] * kept_share(i, c, head);
      weights[index(i)] += slope * added(head)[c] - lost * share;
      to_added[c] += slope * weight;
      to_erased[c] -= lost * weight * share * (1 - share);
    });
  }

  MachineSizes sizes_;
  std::vector<float> controls_;
  const float* before_ = nullptr;
  std::vector<float> erased_shares_;  // of each head that writes [width]
  std::vector<float> memory_;         // after the step
  std::vector<HeadWeights> writing_, reading_;
};

/// Adds f32 values to a row of a gradient of any dtype.
void add_to_row(const std::vector<float>& values, const Tensor& to, std::int64_t row) {
  std::vector<float> sum(values.size());
  widen_row(to.stored(), row, sum.data());
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  if (to.dtype() == DType::bf16) {
    kernels().narrow(sum.data(), static_cast<Bf16*>(to.raw_row(row)), to.columns());
  } else {
    std::ranges::copy(sum, static_cast<float*>(to.raw_row(row)));
  }
}

void give_machine_gradients(const MachineSizes& sizes, const Tensor& controls, const Tensor& before,
                            const Tensor& after, std::span<const Tensor> of) {
  const ProfiledTime time(kMachineGradient, 0, after.bytes());
  const Tensor to_controls = gradient_if_wanted(of[0]), to_before = gradient_if_wanted(of[1]);
  parallel_ranges(before.rows(), kMachineGrain, [&](std::int64_t first, std::int64_t last) {
    MachineRow machine(sizes);
    for (std::int64_t row = first; row < last; ++row) {
      machine.run(controls, before, row);
      std::vector<float> of_controls(index(sizes.controls()), 0.0f), of_before(index(sizes.state()), 0.0f);
      machine.add_gradients(after.data() + row * sizes.state(), of_controls.data(), of_before.data());
      if (to_controls) add_to_row(of_controls, to_controls, row);
      if (to_before) add_to_row(of_before, to_before, row);
    }
  });
}

}  // namespace

Tensor first_machine_states(const MachineSizes& sizes, std::int64_t rows) {
  const Tensor states = Tensor::zeros({rows, sizes.state()});
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t head = 0; head < 2 * sizes.heads; ++head) {
      states.data()[row * sizes.state() + sizes.weights_start() + head * sizes.rows] = 1;
    }
  }
  return states;
}

Tensor machine_step(const MachineSizes& sizes, const Tensor& controls, const Tensor& before) {
  expects(controls.rows() == before.rows() && controls.columns() == sizes.controls() &&
              before.columns() == sizes.state() && before.dtype() == DType::f32,
          "machine_step: controls ", controls.shape().text(), ", states ", before.shape().text());
  const Tensor after = Tensor::uninitialised({before.rows(), sizes.state()});
  {
    const ProfiledTime time(kMachineStep, 0, 2 * after.bytes());
    parallel_ranges(before.rows(), kMachineGrain, [&](std::int64_t first, std::int64_t last) {
      MachineRow machine(sizes);
      for (std::int64_t row = first; row < last; ++row) {
        machine.run(controls, before, row);
        machine.write(after.data() + row * sizes.state());
      }
    });
  }
  return record(after, {controls, before},
                [sizes, controls = controls.without_gradient(), before = before.without_gradient()](
                    const Tensor& dafter, std::span<const Tensor> of) {
                  give_machine_gradients(sizes, controls, before, dafter, of);
                });
}

Tensor machine_reads(const MachineSizes& sizes, const Tensor& states, DType type) {
  const Tensor reads = Tensor::uninitialised({states.rows(), sizes.reads()}, type);
  for (std::int64_t row = 0; row < states.rows(); ++row) {
    const float* from = states.data() + row * sizes.state() + sizes.reads_start();
    if (type == DType::bf16) {
      kernels().narrow(from, static_cast<Bf16*>(reads.raw_row(row)), sizes.reads());
    } else {
      std::copy_n(from, sizes.reads(), static_cast<float*>(reads.raw_row(row)));
    }
  }
  return record(reads, {states.without_values()}, [sizes](const Tensor& dreads, std::span<const Tensor> of) {
    const Tensor to = of[0].gradient();
    std::vector<float> wide(index(sizes.reads()));
    for (std::int64_t row = 0; row < dreads.rows(); ++row) {
      widen_row(dreads.stored(), row, wide.data());
      float* const sum = to.data() + row * sizes.state() + sizes.reads_start();
      for (std::size_t i = 0; i < wide.size(); ++i) sum[i] += wide[i];
    }
  });
}

}  // namespace gloss
