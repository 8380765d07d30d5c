// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/weight_copies.h"

#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {
namespace {

const ProfiledOperation kCopies("weights to bf16");

}  // namespace

void WeightCopies::refresh(WorkerThreads& workers) {
  over_ranges(workers, weights_.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kCopies, 0, 6 * static_cast<std::int64_t>(end - begin));
    kernels().narrow(weights_.data() + begin, copies_.data() + begin, static_cast<std::int64_t>(end - begin));
  });
}

}  // namespace gloss
