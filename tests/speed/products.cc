// SPDX-License-Identifier: Apache-2.0
// Measures products of packed weights in f32 and int8, those of int8 with quantisation and scaling, on one
// thread:
//   bench_products [ROWS...]    default: 2 8 32 256
// in thousands of millions of multiply-adds per second of CPU time, GB/s of weights, and relative to f32,
// with the instruction set of GLOSS_MAX_ISA. The last line of a size is the speed of reading memory of the
// size of the int8 weights.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/kernels/instruction_set.h"
#include "model/tensor/packed_matrix.h"
#include "tests/speed/benchmark.h"

namespace gloss {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds of one call: the fastest of several alternating rounds for each of the functions, each round of
/// about 20 ms.
std::vector<double> seconds_of(const std::vector<std::function<void()>>& functions) {
  constexpr int kRounds = 15;
  constexpr double kRound = 0.02;
  std::vector<double> best(functions.size(), 1e9);
  for (int round = -1; round < kRounds; ++round) {
    for (std::size_t f = 0; f < functions.size(); ++f) {
      int calls = 0;
      const double start = cpu_seconds();
      double used = 0;
      for (; used < kRound; used = cpu_seconds() - start, ++calls) functions[f]();
      if (round >= 0) best[f] = std::min(best[f], used / calls);
    }
  }
  return best;
}

/// Reads memory with as many loads as the processor issues.
void read_all(const std::vector<std::uint64_t>& numbers) {
  typedef std::uint64_t Pair __attribute__((vector_size(16), aligned(8), may_alias));
  Pair a{}, b{}, c{}, d{};
  for (std::size_t i = 0; i + 8 <= numbers.size(); i += 8) {
    const auto* const from = reinterpret_cast<const Pair*>(numbers.data() + i);
    a |= from[0];
    b |= from[1];
    c |= from[2];
    d |= from[3];
  }
  [[maybe_unused]] static volatile std::uint64_t sink;
  sink = (a | b | c | d)[0];
}

void bench(std::int64_t in, std::int64_t out, const std::vector<std::int64_t>& all_rows) {
  Random random(1);
  std::vector<float> numbers(index(in * out));
  for (float& number : numbers) number = static_cast<float>(random.normal());
  const StoredMatrix weight{.numbers = numbers.data(), .rows = out, .columns = in};
  const PackedMatrix wide(weight, DType::f32), small(weight, DType::int8);
  const double bytes = static_cast<double>(in * out);
  for (const std::int64_t rows : all_rows) {
    const Tensor x = Tensor::zeros({rows, in}), y = Tensor::zeros({rows, out});
    std::copy_n(numbers.begin(), std::min<std::int64_t>(x.count(), in * out), x.data());
    const auto multiply = [&](const PackedMatrix& matrix) {
      return [&] { matrix.multiply({.rows = rows}, x.raw(), y.raw()); };
    };
    const std::vector<double> seconds = seconds_of({multiply(wide), multiply(small)});
    const double work = bytes * static_cast<double>(rows) * 1e-9;
    std::printf("%5ld x %5ld, %3ld rows: f32 %6.1f G/s %5.1f GB/s, int8 %6.1f G/s %5.1f GB/s: %.2f\n",
                static_cast<long>(in), static_cast<long>(out), static_cast<long>(rows), work / seconds[0],
                4e-9 * bytes / seconds[0], work / seconds[1], 1e-9 * bytes / seconds[1],
                seconds[0] / seconds[1]);
  }
  const std::vector<std::uint64_t> memory(index(in * out / 8), 1);
  std::printf("  reading: %.1f GB/s\n", 1e-9 * bytes / seconds_of({[&] { read_all(memory); }})[0]);
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) {
  using namespace gloss;
  set_threads_per_operation(1);
  std::vector<std::int64_t> rows;
  for (int i = 1; i < count; ++i) rows.push_back(std::stoi(words[i]));
  if (rows.empty()) rows = {2, 8, 32, 256};
  std::printf("%s, oneDNN %s\n", name_of(instruction_set()), onednn_instruction_set().c_str());
  bench(512, 512, rows);
  bench(512, 2048, rows);
  bench(2048, 512, rows);
  bench(512, 32000, rows);
  return 0;
}
