#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/batch_stream.h"
#include "pipeline/pair_encoding.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// A text and how often an epoch sees each of its lines: by its whole part always, and by its fraction in
/// that share of the epochs.
struct WeightedText {
  std::shared_ptr<const IndexedPairs> pairs;
  double weight = 1;
};

/// How texts become windows.
struct WindowSettings {
  std::int64_t pairs = 500'000;  ///< of a window, about
  std::int64_t seed = 1;
  bool dropout = false;  ///< encodes with subword dropout, anew in each epoch
  int threads = 1;
};

/// Texts in windows: each epoch takes the blocks of all texts in another random order, and a window so many
/// of them that it has about as many pairs as wanted. All are in one window if there are no more. A line's
/// tokens are a function of seed, epoch and line.
class TextWindows : public WindowSource {
 public:
  TextWindows(std::vector<WeightedText> texts, PairEncoder encoder, const WindowSettings&);

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

  std::vector<Visit> visits_of(std::int64_t epoch, std::int64_t number) const;
  EncodedPairs encode(const Visit&, std::int64_t epoch) const;
  std::int64_t times_seen(std::uint32_t text, std::int64_t line, std::int64_t epoch) const;

  std::vector<WeightedText> texts_;
  PairEncoder encoder_;
  WindowSettings settings_;
  Random order_, dropout_;
  std::vector<Visit> visits_;  // of every epoch, in the order of the texts
  std::int64_t windows_ = 1;
  bool same_in_every_epoch_ = false;  // one window with the same tokens: it is kept
  std::shared_ptr<const Corpus> kept_;
};

}  // namespace gloss
