// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/flat_arrays.h"

#include <algorithm>

#include "base/index.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

constexpr std::size_t kFlatBlock = 1 << 14;         // numbers
constexpr std::size_t kSmallPart = 4 * kFlatBlock;  // less is not worth a thread

const ProfiledOperation kClear("gradients: clear");
const ProfiledOperation kNorm("gradients: norm");
const ProfiledOperation kAdam("optimizer");
const ProfiledOperation kAverage("moving average");

std::int64_t count(std::size_t begin, std::size_t end) { return static_cast<std::int64_t>(end - begin); }

}  // namespace

void over_ranges(WorkerThreads& workers, std::size_t size,
                 const std::function<void(std::size_t, std::size_t)>& work) {
  const std::size_t blocks = ceil_div(size, kFlatBlock);
  const std::size_t useful = std::max<std::size_t>(1, size / kSmallPart);
  const std::size_t parts = std::min(index(workers.count()), useful);
  workers.run(static_cast<int>(parts), [&](int worker) {
    const auto part = index(worker);
    const std::size_t begin = blocks * part / parts * kFlatBlock;
    const std::size_t end = std::min(size, blocks * (part + 1) / parts * kFlatBlock);
    if (begin < end) work(begin, end);
  });
}

void move_towards(std::span<float> values, std::span<const float> goals, float share,
                  WorkerThreads& workers) {
  over_ranges(workers, values.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kAverage, 3 * count(begin, end), 12 * count(begin, end));
    for (std::size_t i = begin; i < end; ++i) values[i] += share * (goals[i] - values[i]);
  });
}

void exchange_arrays(std::span<float> values, std::span<float> others, WorkerThreads& workers) {
  over_ranges(workers, values.size(), [&](std::size_t begin, std::size_t end) {
    std::swap_ranges(values.data() + begin, values.data() + end, others.data() + begin);
  });
}

void clear_array(std::span<float> values, WorkerThreads& workers) {
  over_ranges(workers, values.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kClear, 0, 4 * count(begin, end));
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(begin),
              values.begin() + static_cast<std::ptrdiff_t>(end), 0.0f);
  });
}

double sum_of_squares(std::span<const float> values, WorkerThreads& workers) {
  std::vector<double> sums(ceil_div(values.size(), kFlatBlock), 0.0);
  over_ranges(workers, values.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kNorm, 2 * count(begin, end), 4 * count(begin, end));
    for (std::size_t start = begin; start < end; start += kFlatBlock) {
      const std::size_t stop = std::min(end, start + kFlatBlock);
      sums[start / kFlatBlock] = kernels().sum_of_squares(values.data() + start, count(start, stop));
    }
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

void adam_update(std::span<float> values, std::span<const float> gradients, std::span<float> first_moments,
                 std::span<float> second_moments, const AdamStep& step, WorkerThreads& workers) {
  over_ranges(workers, values.size(), [&](std::size_t begin, std::size_t end) {
    const ProfiledTime time(kAdam, 14 * count(begin, end), 28 * count(begin, end));
    kernels().adam(step, {.weights = values.data() + begin,
                          .first_moments = first_moments.data() + begin,
                          .second_moments = second_moments.data() + begin,
                          .gradients = gradients.data() + begin,
                          .count = count(begin, end)});
  });
}

}  // namespace gloss
