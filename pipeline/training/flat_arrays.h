// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/worker_threads.h"
#include "model/kernels/adam_step.h"

namespace gloss {

// Loops over all weights of a network. The results are bit-identical for any number of threads: each number
// is computed independently, and sums are computed over blocks of fixed size and added in order.

/// Runs `work(begin, end)` over parts of [0, size) on the workers; parts start at multiples of a
/// fixed block.
void over_ranges(WorkerThreads& workers, std::size_t size,
                 const std::function<void(std::size_t, std::size_t)>& work);

/// Moves each value towards its goal by `share` (0 to 1) of the distance.
void move_towards(std::span<float> values, std::span<const float> goals, float share, WorkerThreads& workers);
/// Swaps two arrays of the same size.
void exchange_arrays(std::span<float> values, std::span<float> others, WorkerThreads& workers);
/// Sets all to 0.
void clear_array(std::span<float> values, WorkerThreads& workers);
/// The sum of the squares, in double.
double sum_of_squares(std::span<const float> values, WorkerThreads& workers);

/// One Adam step.
void adam_update(std::span<float> values, std::span<const float> gradients, std::span<float> first_moments,
                 std::span<float> second_moments, const AdamStep&, WorkerThreads& workers);

}  // namespace gloss
