// SPDX-License-Identifier: Apache-2.0
// Measures the translation speed of a transformer with random weights, as a fraction of the peak of matrix
// products in the same run, and the memory:
//   bench_translation [PRESET|DIR [PRECISION [THREADS [BEAM [BATCH [CANDIDATES [profile]]]]]]]
// DIR is a model directory, whose sizes and weights are used.
// Sources have 25 tokens; every hypothesis has 30 tokens, end token included. CANDIDATES is the number of
// tokens allowed for each sentence, as with a shortlist; 0: all. FLOPs are those of the model's products.
// With a batch of one it prints the latency per sentence.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "model/model_directory.h"
#include "model/networks/factory.h"
#include "model/networks/mixers/transformer_settings.h"
#include "pipeline/search/parallel_search.h"
#include "tests/speed/benchmark.h"

namespace gloss {
namespace {

constexpr int kSourceLength = 25, kTargetLength = 30;

/// Multiply-adds for one sentence with this many hypotheses.
double work(const NetworkSettings& s, int beam, int outputs) {
  const NetworkSizes& t = s.sizes;
  const double w = t.width, feed_forward = 2.0 * w * s.own<TransformerSettings>().feed_forward_width,
               source = kSourceLength, target = kTargetLength;
  const double encoder = t.encoder_layers * source * (4 * w * w + feed_forward + 2 * source * w);
  const double memory = t.decoder_layers * source * 2 * w * w;
  const double decoder = t.decoder_layers * target * (6 * w * w + feed_forward + target * w + 2 * source * w);
  return 2 * (encoder + memory + beam * (decoder + target * w * outputs));
}

/// Random candidates for each row, including the end token.
void add_candidates(SearchInput& rows, int count, int vocabulary, Random& random) {
  for (int row = 0; row < rows.sources.rows(); ++row) {
    std::set<TokenId> tokens{2};
    while (static_cast<int>(tokens.size()) < count) {
      tokens.insert(static_cast<TokenId>(random.below(static_cast<std::uint64_t>(vocabulary))));
    }
    RowDemands demands;
    demands.number = static_cast<std::uint64_t>(row);
    demands.candidates = std::make_shared<const std::vector<TokenId>>(tokens.begin(), tokens.end());
    rows.demands.push_back(std::move(demands));
  }
}

/// The model in a directory, or one of a preset with random weights.
Model model_of(const std::string& name, Random& random) {
  if (std::filesystem::exists(std::filesystem::path(name) / "config.json"))
    return read_model(name, Weights::in_place);
  Model model;
  model.settings.source_vocabulary = model.settings.target_vocabulary = 32000;
  Preset preset{};
  set_field({"preset", preset_choice(preset), ""}, name, "preset");
  apply_preset(preset, model.settings);
  model.parameters = std::make_unique<Parameters>();
  model.network = make_network(model.settings, *model.parameters);
  model.parameters->initialise(random);
  return model;
}

int bench(int count, char** words) {
  const auto word = [&](int place, const char* otherwise) {
    return std::string(place < count ? words[place] : otherwise);
  };
  const std::string precision = word(2, "f32");
  const int threads = std::stoi(word(3, "1")), beam = std::stoi(word(4, "1")),
            batch = std::stoi(word(5, "32")), candidates = std::stoi(word(6, "0"));

  Random random(1);
  Model model = model_of(word(1, "base"), random);
  const NetworkSettings& settings = model.settings;
  const DType type = precision == "int8" ? DType::int8 : precision == "bf16" ? DType::bf16 : DType::f32;
  pack(model, type, threads);
  SearchSettings search;
  search.beam_size = beam;
  search.max_length_factor = 0;
  search.max_length = search.min_length = kTargetLength - 1;
  SearchBatchSettings batches;
  batches.batch_size = batch;
  batches.batch_tokens = 1 << 20;
  TokenRows sources;
  const int sentences = batch * threads * (batch < 8 ? 4 : 2);
  for (int row = 0; row < sentences; ++row) {
    std::vector<TokenId> tokens(kSourceLength);
    for (TokenId& token : tokens) token = 3 + static_cast<TokenId>(random.below(31000));
    sources.add(tokens);
  }

  SearchInput rows{sources};
  if (candidates > 0) add_candidates(rows, candidates, settings.target_vocabulary, random);
  const double peak = matmul_peak(DType::f32, threads);
  const auto translate = [&] {
    search_in_batches(
        *model.network, rows, search, {}, batches, threads, [](int, std::vector<Hypothesis>) {}, [](int) {});
  };
  translate();
  set_profiling(word(7, "") == "profile");
  // The fastest of some rounds: other programs may use the machine.
  constexpr int kRounds = 5;
  double seconds = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    clear_profile();
    const Clock::time_point start = Clock::now();
    translate();
    seconds = std::min(seconds, seconds_since(start));
  }
  print_profile(seconds * threads);
  const double rate =
      work(settings, beam, candidates > 0 ? candidates : settings.target_vocabulary) * sentences / seconds;
  std::printf(
      "%s %s, %d threads, beam %d, batch %d, %d candidates: %.0f target tokens/s, %.0f GFLOP/s: %.2f of the "
      "f32 peak, %.2f "
      "GiB\n",
      word(1, "base").c_str(), precision.c_str(), threads, beam, batch,
      candidates > 0 ? candidates : settings.target_vocabulary,
      static_cast<double>(sentences) * kTargetLength / seconds, rate * 1e-9, rate / peak, peak_memory());
  if (batch == 1) std::printf("  latency: %.1f ms a sentence\n", 1e3 * seconds * threads / sentences);
  return 0;
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) { return gloss::bench(count, words); }
