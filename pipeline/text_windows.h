#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/batch_stream.h"
#include "pipeline/example_encoding.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// A text and how often an epoch sees each of its lines (or blocks of lines that belong together): by its
/// whole part always, and by its fraction in that share of the epochs.
struct WeightedText {
  std::shared_ptr<const IndexedPairs> pairs;
  double weight = 1;
};

/// How texts become windows.
struct WindowSettings {
  std::int64_t lines = 500'000;  ///< of a window, about
  std::int64_t seed = 1;
  int threads = 1;
};

/// Texts in windows: each epoch takes the blocks of all texts in another random order, and a window so many
/// of them that it has about as many lines as wanted. All are in one window if there are no more. What
/// becomes of a line is a function of seed, epoch and line, and where examples have several lines, of its
/// neighbours.
class TextWindows : public WindowSource {
 public:
  TextWindows(std::vector<WeightedText> texts, std::shared_ptr<const ExampleEncoder> encoder,
              const WindowSettings&);

  std::int64_t windows() const override { return windows_; }
  std::shared_ptr<const Corpus> window(std::int64_t epoch, std::int64_t number,
                                       std::stop_token stop) override;

 private:
  /// A block of a text, for those of its lines that an epoch sees more than `copy` times.
  struct Visit {
    std::uint32_t text, copy;
    std::int64_t block;
    auto operator<=>(const Visit&) const = default;
  };

  /// True if `b` is what stands behind `a`.
  static bool follows(const Visit& a, const Visit& b) {
    return a.text == b.text && a.copy == b.copy && a.block + 1 == b.block;
  }
  std::vector<Visit> visits_of(std::int64_t epoch, std::int64_t number) const;
  EncodedPairs encode(const Visit&, std::int64_t epoch) const;
  Random chance_of(const Visit&, std::int64_t epoch) const;
  /// How often an epoch sees a line of a text, or the block that begins with it.
  std::int64_t times_seen(std::uint32_t text, std::int64_t line, std::int64_t epoch) const;

  std::vector<WeightedText> texts_;
  std::shared_ptr<const ExampleEncoder> encoder_;
  WindowSettings settings_;
  Random order_, chance_;
  std::vector<Visit> visits_;  // of every epoch, in the order of the texts
  std::int64_t windows_ = 1;
  bool same_in_every_epoch_ = false;  // one window with the same tokens: it is kept
  std::shared_ptr<const Corpus> kept_;
};

}  // namespace gloss
