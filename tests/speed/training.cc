// SPDX-License-Identifier: Apache-2.0
// Measures the training speed of the transformer presets on this machine, as a fraction of the peak of its
// matrix products in the same run, and the memory:
//   bench_training PRESET [PRECISION [THREADS [SHARDS [BATCH_TOKENS [profile]]]]]
// Sentences have 4 to 24 tokens on either side, 14 on average. FLOPs are those of the model's products for
// real tokens, once forward and twice backward; padding and recomputation do not count.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "model/networks/mixers/transformer_settings.h"
#include "tests/speed/updates.h"

namespace gloss {
namespace {

constexpr int kVocabulary = 9712;
constexpr int kShortest = 4, kLongest = 24;

/// Multiply-adds of the model's products for a sentence pair, forward and backward.
double work(const NetworkSettings& s, double source, double target) {
  const NetworkSizes& t = s.sizes;
  const double w = t.width, feed_forward = 2.0 * w * s.own<TransformerSettings>().feed_forward_width;
  const double encoder = t.encoder_layers * source * (4 * w * w + feed_forward + 2 * source * w);
  const double memory = t.decoder_layers * source * 2 * w * w;
  const double decoder = t.decoder_layers * target * (6 * w * w + feed_forward + target * w + 2 * source * w);
  return 6 * (encoder + memory + decoder + target * w * s.target_vocabulary);
}

struct Sentences {
  Corpus corpus;
  std::vector<PairIndex> pairs;
  std::int64_t target_tokens = 0;
  double work = 0;
};

/// Random pairs for one batch of this many tokens.
Sentences sentences(const NetworkSettings& settings, int batch_tokens) {
  Random random(3);
  Sentences made;
  const auto row = [&] {
    std::vector<TokenId> tokens(kShortest + random.below(kLongest - kShortest + 1));
    for (TokenId& token : tokens) token = static_cast<TokenId>(random.below(kVocabulary));
    return tokens;
  };
  for (int cost = 0; cost < batch_tokens;) {
    const std::vector<TokenId> source = row(), target = row();
    cost += static_cast<int>(std::max(source.size(), target.size()));
    made.pairs.push_back(static_cast<PairIndex>(made.corpus.size()));
    made.corpus.add(source, target);
    made.target_tokens += static_cast<std::int64_t>(target.size());
    made.work += work(settings, static_cast<double>(source.size()), static_cast<double>(target.size()));
  }
  return made;
}

int bench(int count, char** words) {
  const auto word = [&](int place, const char* otherwise) {
    return std::string(place < count ? words[place] : otherwise);
  };
  NetworkSettings settings;
  settings.source_vocabulary = settings.target_vocabulary = kVocabulary;
  Preset preset{};
  set_field({"preset", preset_choice(preset), ""}, word(1, "tiny"), "preset");
  apply_preset(preset, settings);
  settings.sizes.dropout = 0.3;
  const bool bf16 = word(2, "f32") == "bf16";
  const int threads = std::stoi(word(3, "1")), shards = std::stoi(word(4, "2"));
  const Sentences batch = sentences(settings, std::stoi(word(5, "4096")));

  const double peak = matmul_peak(bf16 ? DType::bf16 : DType::f32, threads);
  const MeasuredTraining training{
      .bf16 = bf16, .threads = threads, .shards = shards, .profiled = word(6, "") == "profile"};
  const double seconds = seconds_of_updates(settings, batch.corpus, batch.pairs, training),
               rate = batch.work * training.updates / seconds;
  print_profile(seconds * threads);
  std::printf(
      "%-5s %-4s, %d threads, %d shards: %.0f target tokens/s, %.0f of %.0f GFLOP/s: %.2f of the matmul "
      "peak, %.2f "
      "GiB\n",
      word(1, "tiny").c_str(), bf16 ? "bf16" : "f32", threads, shards,
      static_cast<double>(batch.target_tokens) * training.updates / seconds, rate * 1e-9, peak * 1e-9,
      rate / peak, peak_memory());
  return 0;
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) { return gloss::bench(count, words); }
