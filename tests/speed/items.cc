// SPDX-License-Identifier: Apache-2.0
// Measures the training speed of networks that read images or recordings, as a fraction of the peak of matrix
// products in the same run:
//   bench_items KIND [PRECISION [THREADS [profile]]]
// KIND is vit, stem, conv-mixer (classifiers of 28 x 28 grey pixels) or conformer (recordings of 3 seconds,
// spelt with 30 tokens, with CTC). FLOPs are those that the operations report: products, attention and
// convolutions, forward and backward.
#include <cstdio>
#include <numeric>
#include <string>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/mixers/transformer_settings.h"
#include "tests/speed/updates.h"

namespace gloss {
namespace {

struct Items {
  NetworkSettings settings;
  Corpus corpus;
  std::vector<PairIndex> pairs;
  LossTerms terms{.label_smoothing = 0.1};
};

Items images(const std::string& kind) {
  constexpr int kImages = 128, kSide = 28;
  Items items;
  NetworkSettings& s = items.settings;
  s.sizes = {.encoder_layers = 4, .decoder_layers = 0, .width = 128, .heads = 4};
  s.sizes.dropout = s.sizes.embedding_dropout = 0;
  auto& own = s.own<TransformerSettings>();
  own.feed_forward_width = 256;
  own.norm = NormPlacement::pre;
  own.activation = Activation::gelu;
  own.positions = Positions::learned;
  s.source.type = SourceType::image;
  s.source.image = {
      .height = kSide, .width = kSide, .channels = 1, .mean = {"73"}, .deviation = {"90"}, .patch_size = 4};
  if (kind == "stem") {
    s.source.stem = {{"32", "64"}, {"1", "2"}};
    s.source.image.patch_size = 2;
  } else if (kind == "conv-mixer") {
    s.sizes.encoder_layers = 8;
    own.encoder_mixers = {"conv-mixer"};
    s.source.image.patch_size = 2;
  } else if (kind != "vit") {
    throw UsageError(concat("unknown kind '", kind, "'; expected vit, stem, conv-mixer or conformer"));
  }
  s.classifier = {.classes = 10, .pooling = Pooling::mean};
  set_vocabulary(s, kWithoutText);
  s.sizes.max_positions = row_length(s);
  Random random(3);
  for (int i = 0; i < kImages; ++i) {
    std::vector<TokenId> row(index(row_length(s)));
    std::iota(row.begin(), row.end(), 0);
    ItemNumbers numbers;
    for (int pixel = 0; pixel < kSide * kSide; ++pixel)
      numbers.bytes.push_back(static_cast<std::uint8_t>(random.below(256)));
    items.corpus.add_item(row, numbers, std::vector<TokenId>{i % 10}, 1);
  }
  return items;
}

Items recordings() {
  constexpr int kRecordings = 32, kVectors = 75, kTokens = 30, kPieces = 40;
  Items items;
  NetworkSettings& s = items.settings;
  s.sizes = {.encoder_layers = 3, .decoder_layers = 1, .width = 128, .heads = 4};
  s.sizes.ctc_head = true;
  items.terms.ctc_weight = 0.3;
  auto& own = s.own<TransformerSettings>();
  own.feed_forward_width = 512;
  own.norm = NormPlacement::pre;
  own.encoder_mixers = {"conformer"};
  own.positions = Positions::relative;
  s.source.type = SourceType::audio;
  s.source.audio.rate = 8000;
  s.source.audio.bands = 40;
  s.source.stem = {{"32", "32"}, {}};
  set_vocabulary(s, {kPieces, kPieces, 1, 2});
  Random random(3);
  for (int i = 0; i < kRecordings; ++i) {
    std::vector<TokenId> row(kVectors), text;
    std::iota(row.begin(), row.end(), 0);
    for (int token = 1; token < kTokens; ++token)
      text.push_back(static_cast<TokenId>(3 + random.below(kPieces - 3)));
    text.push_back(2);
    ItemNumbers numbers;
    for (int number = 0; number < kVectors * windows_of_vector(s.source) * s.source.audio.bands; ++number)
      numbers.floats.push_back(static_cast<float>(random.normal()));
    items.corpus.add_item(row, numbers, text, 1);
  }
  return items;
}

int bench(int count, char** words) {
  const auto word = [&](int place, const char* otherwise) {
    return std::string(place < count ? words[place] : otherwise);
  };
  const std::string kind = word(1, "vit");
  Items items = kind == "conformer" ? recordings() : images(kind);
  items.pairs.resize(index(items.corpus.size()));
  std::iota(items.pairs.begin(), items.pairs.end(), PairIndex{0});
  const MeasuredTraining training{.bf16 = word(2, "f32") == "bf16",
                                  .threads = std::stoi(word(3, "1")),
                                  .terms = items.terms,
                                  .profiled = true};
  const double peak = matmul_peak(training.bf16 ? DType::bf16 : DType::f32, training.threads),
               seconds = seconds_of_updates(items.settings, items.corpus, items.pairs, training);
  double work = 0;
  for (const OperationProfile& operation : profile()) {
    for (const char* counted : {"linear", "attention", "convolution", "loss: "}) {
      if (!operation.name.starts_with(counted)) continue;
      work += static_cast<double>(operation.flops);
      break;
    }
  }
  if (word(4, "") == "profile") print_profile(seconds * training.threads);
  const double rate = work / seconds;
  std::printf(
      "%-10s %-4s, %d threads: %.0f items/s, %.0f of %.0f GFLOP/s: %.2f of the matmul peak, %.2f GiB\n",
      kind.c_str(), training.bf16 ? "bf16" : "f32", training.threads,
      static_cast<double>(items.pairs.size()) * training.updates / seconds, rate * 1e-9, peak * 1e-9,
      rate / peak, peak_memory());
  return 0;
}

}  // namespace
}  // namespace gloss

int main(int count, char** words) {
  try {
    return gloss::bench(count, words);
  } catch (const gloss::UsageError& error) {
    std::fprintf(stderr, "bench_items: %s\n", error.what());
    return 2;
  }
}
