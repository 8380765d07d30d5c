// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/working_weights.h"

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"
#include "model/tensor/stored_matrix.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {
namespace {

const ProfiledOperation kCopies("weights to bf16");
const ProfiledOperation kRounding("weights: rounding");

}  // namespace

WorkingWeights::WorkingWeights(const Parameters& weights, const TrainingSettings& settings)
    : weights_(weights.values()), type_(stored_type(settings.quantization_aware)) {
  if (settings.precision == Precision::bf16) copies_.resize(weights_.size());
  if (type_ == DType::f32) return;
  rounded_.resize(weights_.size());
  constexpr std::int64_t kPart = 1 << 14;  // numbers
  for (const Parameters::Entry& entry : weights.entries()) {
    const std::int64_t rows = entry.tensor.rows(), columns = entry.tensor.columns();
    const std::int64_t most = std::max<std::int64_t>(1, kPart / columns);
    for (std::int64_t row = 0; row < rows; row += most) {
      parts_.push_back({.offset = entry.offset + row * columns,
                        .rows = std::min(most, rows - row),
                        .columns = columns,
                        .rounded = entry.role != Role::other});
    }
  }
}

void WorkingWeights::round_parts(WorkerThreads& workers) {
  std::atomic<std::size_t> next{0};
  workers.run(workers.count(), [&](int) {
    const ProfiledTime time(kRounding, 0, 0);
    for (std::size_t i = next++; i < parts_.size(); i = next++) {
      const Part& part = parts_[i];
      float* const to = rounded_.data() + part.offset;
      std::copy_n(weights_.data() + part.offset, part.rows * part.columns, to);
      if (!part.rounded) continue;
      for (std::int64_t row = 0; row < part.rows; ++row) {
        round_row(type_, to + row * part.columns, part.columns);
      }
    }
  });
}

void WorkingWeights::refresh(WorkerThreads& workers) {
  if (type_ != DType::f32) round_parts(workers);
  const std::span<const float> from = type_ == DType::f32 ? weights_ : rounded_;
  if (copies_.empty()) return;
  over_ranges(workers, from.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kCopies, 0, 6 * static_cast<std::int64_t>(end - begin));
    kernels().narrow(from.data() + begin, copies_.data() + begin, static_cast<std::int64_t>(end - begin));
  });
}

void WorkingWeights::give_to(Parameters& parameters) {
  if (type_ != DType::f32) give_rounded_to(parameters);
  if (!copies_.empty()) parameters.use_copies(copies_);
}

void WorkingWeights::give_rounded_to(Parameters& parameters) {
  expects(type_ != DType::f32, "the working weights are not rounded");
  parameters.use_rounded(rounded_);
}

std::shared_ptr<WorkingWeights> working_weights(const Parameters& weights, const TrainingSettings& settings) {
  const bool learned_ones =
      settings.precision != Precision::bf16 && settings.quantization_aware == Rounding::none;
  return learned_ones ? nullptr : std::make_shared<WorkingWeights>(weights, settings);
}

}  // namespace gloss
