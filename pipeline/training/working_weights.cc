// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/working_weights.h"

#include <algorithm>

#include "base/index.h"
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
    : weights_(weights.values()) {
  if (settings.precision == Precision::bf16) copies_.resize(weights_.size());
  if (settings.quantization_aware == Rounding::none) return;
  rounded_.resize(weights_.size());
  const DType type = settings.quantization_aware == Rounding::int8 ? DType::int8 : DType::int4;
  for (const Parameters::Entry& entry : weights.entries()) {
    const std::int64_t columns = entry.tensor.columns();
    for (std::int64_t row = 0; row < entry.tensor.rows(); ++row) {
      rows_.push_back({entry.offset + row * columns, columns, entry.role == Role::other ? DType::f32 : type});
    }
  }
}

void WorkingWeights::refresh(WorkerThreads& workers) {
  std::span<const float> from = weights_;
  if (!rounded_.empty()) {
    const std::size_t parts = index(workers.count());
    workers.run(workers.count(), [&](int worker) {
      const std::size_t begin = rows_.size() * index(worker) / parts,
                        end = rows_.size() * index(worker + 1) / parts;
      const ProfiledTime time(kRounding, 0, 0);
      for (std::size_t i = begin; i < end; ++i) {
        const Row& row = rows_[i];
        float* const to = rounded_.data() + row.offset;
        std::copy_n(weights_.data() + row.offset, row.columns, to);
        round_row(row.type, to, row.columns);
      }
    });
    from = rounded_;
  }
  if (copies_.empty()) return;
  over_ranges(workers, from.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kCopies, 0, 6 * static_cast<std::int64_t>(end - begin));
    kernels().narrow(from.data() + begin, copies_.data() + begin, static_cast<std::int64_t>(end - begin));
  });
}

void WorkingWeights::give_to(Parameters& parameters) {
  give_rounded_to(parameters);
  if (!copies_.empty()) parameters.use_copies(copies_);
}

void WorkingWeights::give_rounded_to(Parameters& parameters) {
  if (!rounded_.empty()) parameters.use_rounded(rounded_);
}

std::shared_ptr<WorkingWeights> working_weights(const Parameters& weights, const TrainingSettings& settings) {
  const bool learned_ones =
      settings.precision != Precision::bf16 && settings.quantization_aware == Rounding::none;
  return learned_ones ? nullptr : std::make_shared<WorkingWeights>(weights, settings);
}

}  // namespace gloss
