// How fast the transformer presets learn on this machine, as a fraction of what its matrix products reach in
// the same run: bench_training PRESET [PRECISION [THREADS [TOKENS [SENTENCE_LENGTH [VOCABULARY]]]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/threads.h"
#include "model/networks/factory.h"
#include "model/tensor/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/profile.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The best of several runs, all threads together, in FLOP/s.
double matmul_peak(DType type, int threads) {
  constexpr std::int64_t kSize = 1024;
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const Clock::time_point start = Clock::now();
    constexpr int kTimes = 8;
    run_workers(threads, [&](int) {
      set_threads_per_operation(1);
      const Tensor a = Tensor::zeros({kSize, kSize}, type), b = Tensor::zeros({kSize, kSize}, type),
                   c = Tensor::zeros({kSize, kSize}, type);
      for (int i = 0; i < kTimes; ++i) {
        matmul({.m = kSize, .n = kSize, .k = kSize, .type = type, .result = type}, a.raw(), b.raw(), c.raw());
      }
    });
    best = std::max(best, 2.0 * kSize * kSize * kSize * kTimes * threads / seconds_since(start));
  }
  return best;
}

/// Multiplications and additions of the products per source and per target token, forward and backward.
struct Work {
  double source, target;
};

Work work_per_token(const NetworkSettings& s, double length) {
  const TransformerSettings& t = s.transformer;
  const double w = t.width, feed_forward = 2.0 * w * t.feed_forward_width;
  const double encoder = t.encoder_layers * (4 * w * w + feed_forward + 2 * length * w);
  const double decoder = t.decoder_layers * (6 * w * w + feed_forward + length * w + 2 * length * w);
  const double memory = t.decoder_layers * 2 * w * w;
  return {6 * (encoder + memory), 6 * (decoder + w * s.target_vocabulary)};
}

int bench(int count, char** words) {
  NetworkSettings settings;
  const std::string name = count > 1 ? words[1] : "tiny";
  const DType type = count > 2 && std::string(words[2]) == "bf16" ? DType::bf16 : DType::f32;
  const int threads = count > 3 ? std::atoi(words[3]) : 1;
  const int tokens = (count > 4 ? std::atoi(words[4]) : 4096) / threads;
  const int length = count > 5 ? std::atoi(words[5]) : 14;
  settings.source_vocabulary = settings.target_vocabulary = count > 6 ? std::atoi(words[6]) : 9712;
  Preset preset{};
  set_field({"preset", preset_choice(preset), ""}, name, "preset");
  apply_preset(preset, settings.transformer);
  settings.transformer.dropout = 0.3;

  Parameters owner;
  Random random(1);
  const std::unique_ptr<Network> unused = make_network(settings, owner);
  owner.initialise(random);
  std::vector<Bf16> copies(static_cast<std::size_t>(owner.flat_size()));
  kernels().narrow(owner.values().data(), copies.data(), owner.flat_size());
  set_profiling(true);
  const double peak = matmul_peak(type, threads);
  constexpr int kUpdates = 6;
  double seconds = 0;
  run_workers(threads, [&](int worker) {
    set_threads_per_operation(1);
    Parameters own;
    const std::unique_ptr<Network> network = make_network(settings, own);
    own.share(owner);
    if (type == DType::bf16) own.use_copies(copies);
    own.keep_gradients();
    Random masks(static_cast<std::uint64_t>(worker));
    Batch batch;
    for (int i = 0; i < tokens / length; ++i) {
      std::vector<TokenId> row(static_cast<std::size_t>(length));
      for (TokenId& token : row)
        token = static_cast<TokenId>(masks.below(static_cast<std::uint64_t>(settings.target_vocabulary)));
      batch.source.add(row);
      batch.target.add(row);
    }
    Clock::time_point start;
    for (int update = -2; update < kUpdates; ++update) {
      if (update == 0) {
        start = Clock::now();
        clear_profile();
      }
      const Regularization regularization{masks, 0.1};
      backward(network->loss(batch, &regularization).sum);
    }
    if (worker == 0) seconds = seconds_since(start);
  });
  const double learned = static_cast<double>(tokens / length * length) * threads * kUpdates;
  const Work work = work_per_token(settings, length);
  const double rate = learned * (work.source + work.target) / seconds;
  for (const OperationProfile& p : profile()) {
    std::printf("  %-36s %5.1f %% %8.1f GFLOP/s %8.1f GB/s\n", p.name.c_str(),
                100 * p.seconds / seconds / threads, static_cast<double>(p.flops) / p.seconds * 1e-9,
                static_cast<double>(p.bytes) / p.seconds * 1e-9);
  }
  std::printf("%-5s %s, %d threads: %.0f target tokens/s, %.0f of %.0f GFLOP/s: %.2f of the matmul peak\n",
              name.c_str(), type == DType::bf16 ? "bf16" : "f32", threads, learned / seconds, rate * 1e-9,
              peak * 1e-9, rate / peak);
  return 0;
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) { return gloss::bench(count, words); }
