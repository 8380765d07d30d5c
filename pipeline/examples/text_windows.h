// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/examples/batch_stream.h"
#include "pipeline/examples/example_encoding.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// A text and the number of times that an epoch sees each of its lines (or blocks of lines that belong
/// together); a fraction is the share of the epochs that see it once more.
struct WeightedText {
  std::shared_ptr<const IndexedPairs> pairs;
  double weight = 1;
};

/// How texts are split into windows.
struct WindowSettings {
  std::int64_t lines = 500'000;  ///< per window, approximately
  std::int64_t seed = 1;
  int threads = 1;
};

/// Texts in windows: each epoch shuffles the blocks of all texts and splits them into windows of about the
/// requested number of lines; a small text is a single window. The example of a line depends on seed, epoch
/// and line only, and on adjacent lines if examples have several lines.
class TextWindows : public WindowReader {
 public:
  TextWindows(std::vector<WeightedText> texts, std::shared_ptr<const ExampleEncoder> encoder,
              const WindowSettings&);

  std::int64_t windows() const override { return windows_; }
  std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t number,
                                       std::stop_token stop) override;

 private:
  /// A block of a text, restricted to the lines that an epoch sees more than `copy` times.
  struct Visit {
    std::uint32_t text, copy;
    std::int64_t block;
    auto operator<=>(const Visit&) const = default;
  };

  /// True if block `b` directly follows block `a`.
  static bool follows(const Visit& a, const Visit& b) {
    return a.text == b.text && a.copy == b.copy && a.block + 1 == b.block;
  }
  std::vector<Visit> visits_of(std::int64_t epoch, std::int64_t number) const;
  EncodedPairs encode(const Visit&, std::int64_t epoch) const;
  Random chance_of(const Visit&, std::int64_t epoch) const;
  /// The number of times that an epoch sees a line of a text, or the block that begins with it.
  std::int64_t times_seen(std::uint32_t text, std::int64_t line, std::int64_t epoch) const;

  std::vector<WeightedText> texts_;
  std::shared_ptr<const ExampleEncoder> encoder_;
  WindowSettings settings_;
  Random order_, chance_;
  std::vector<Visit> visits_;  // of every epoch, in the order of the texts
  std::int64_t windows_ = 1;
  bool same_in_every_epoch_ = false;  // a single window with the same tokens, kept in memory
  std::shared_ptr<const Corpus> kept_;
};

}  // namespace gloss
