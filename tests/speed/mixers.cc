// SPDX-License-Identifier: Apache-2.0
// Measures one block of an encoder, or of a language model for the mixers that only decoders have, forward
// and backward, on a text of some length, on one core:
//   bench_mixers MIXER LENGTH [WIDTH [HEADS [f32|bf16 [profile]]]]
// The block has the mixer and a feed-forward layer four times as wide. Memory is the growth of the peak
// during the passes, with activations and gradients, without weights.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>

#include "model/kernels/kernels.h"
#include "model/networks/mixers/mixers.h"
#include "model/networks/transformer/mixer_block.h"
#include "tests/speed/benchmark.h"

namespace gloss {
namespace {

int bench(int count, char** words) {
  if (count < 3) {
    std::fprintf(
        stderr,
        "Usage: bench_mixers MIXER LENGTH [WIDTH [HEADS [f32|bf16 [profile]]]]; MIXER: %s, or of decoders: "
        "%s\n",
        mixer_names(false).c_str(), mixer_names(true).c_str());
    return 2;
  }
  const auto word = [&](int place, const char* otherwise) {
    return std::string(place < count ? words[place] : otherwise);
  };
  const int length = std::stoi(words[2]);
  const std::string mixer = words[1];
  const bool causal = std::ranges::none_of(
      mixer_kinds(), [&](const MixerKind& kind) { return kind.in_encoders && kind.name == mixer; });
  NetworkSizes sizes;
  sizes.encoder_layers = causal ? 0 : 1;
  sizes.decoder_layers = causal ? 1 : 0;
  sizes.width = std::stoi(word(3, "256"));
  sizes.heads = std::stoi(word(4, "4"));
  sizes.max_positions = std::max(length, 1024);
  TransformerSettings settings;
  (causal ? settings.decoder_mixers : settings.encoder_mixers) = {mixer};
  settings.feed_forward_width = 4 * sizes.width;
  settings.local.window = 128;
  settings.kernels.widths = {"31"};
  if (mixer == "gated-convolution" || mixer == "bytenet") settings.kernels.widths = {"3"};
  if (mixer == "conv-mixer") settings.kernels.widths = {"9"};
  check_mixers(sizes, settings);
  set_threads_per_operation(1);

  Parameters parameters;
  const std::shared_ptr<const Block> block = make_block(parameters, "block", {sizes, settings, 0, causal});
  Random random(1);
  parameters.initialise(random);
  parameters.keep_gradients();
  const bool bf16 = word(5, "f32") == "bf16";
  std::vector<Bf16> copies(bf16 ? index(parameters.flat_size()) : 0);
  if (bf16) {
    kernels().narrow(parameters.values().data(), copies.data(), parameters.flat_size());
    parameters.use_copies(copies);
  }
  const std::int64_t numbers = std::int64_t{length} * sizes.width;
  std::vector<float> values(index(numbers));
  for (float& value : values) value = static_cast<float>(random.normal());
  Tensor x = Tensor::uninitialised({length, sizes.width}, bf16 ? DType::bf16 : DType::f32);
  if (bf16) {
    kernels().narrow(values.data(), x.data_as<Bf16>(), numbers);
  } else {
    std::copy(values.begin(), values.end(), x.data());
  }
  x.want_gradient(Tensor::zeros(x.shape(), x.dtype()));
  const std::vector<AttentionSpan> spans{{0, length, 0, length}};
  std::vector<int> places(index(length));
  std::iota(places.begin(), places.end(), 0);
  const AttentionPositions positions;
  const SelfAttentionView view{.positions = &positions, .places = &places, .spans = &spans};
  const TransformerDropout none(sizes, settings, nullptr);

  const double before = peak_memory();
  set_profiling(word(6, "") == "profile");
  double best = 1e300, total = 0;
  for (int run = 0; run < 2 || (total < 0.5 && run < 50); ++run) {
    if (run == 1) clear_profile();
    const Clock::time_point start = Clock::now();
    const Tensor y = (*block)(x, view, {}, none);
    backward(record(Tensor::zeros({1}), {y}, [](const Tensor&, std::span<const Tensor> of) {
      of[0].hand_gradient(Tensor::zeros(of[0].shape(), of[0].dtype()));
    }));
    const double seconds = seconds_since(start);
    best = std::min(best, seconds);
    total += seconds;
  }
  print_profile(total);
  std::printf("%s\t%d\t%.2f\t%.1f\n", mixer.c_str(), length, 1e3 * best, 1024 * (peak_memory() - before));
  return 0;
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) { return gloss::bench(count, words); }
