// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/reading/line_report.h"
#include "pipeline/tasks/parallel_batches.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// The text of a mask in a line.
extern const char* const kMaskText;

/// Settings for filling masks.
struct FillSettings {
  int candidates = 5;  ///< number of candidates per mask
  SearchBatchSettings batches;
};

/// A candidate for the text of a mask.
struct MaskCandidate {
  std::string text;     ///< without a leading space
  bool joined = false;  ///< true if it continues the preceding word
  double probability = 0;
};

/// A line with its masks filled.
struct FilledLine : LineReport {
  std::string text;                               ///< each mask is replaced by its most probable piece
  std::vector<std::vector<MaskCandidate>> masks;  ///< candidates per mask, the most probable first
};

/// Predicts the pieces at the masks of a line with a masked model, each mask independently of the others. A
/// line's result depends on the line alone.
class Filler {
 public:
  /// Throws UsageError if the model has no mask token. The model must outlive the filler.
  Filler(const TextModel&, const FillSettings&, int threads);

  /// One result per line, in their order. A line without masks is unchanged, a blank line becomes empty.
  std::vector<FilledLine> fill(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  /// A tokenised line.
  struct Prepared {
    std::vector<std::string> parts;  // the text between the masks
    std::vector<TokenId> tokens;     // with class and end token; empty: the network does not read the line
    std::vector<int> places;         // offsets of the masks in `tokens`
  };
  Prepared prepare(const std::string& line, FilledLine&) const;
  /// True if the mask is a piece of the vocabulary, which the tokenizer recognises in text.
  bool has_own_mask() const;
  /// The tokens of text that follows a mask or begins a line.
  std::vector<TokenId> encode(const std::string& part, bool behind_mask) const;
  void take_results(std::span<const Prepared>, std::span<const int> batch, std::span<FilledLine>) const;
  std::vector<MaskCandidate> candidates_of(const TopScores&, std::int64_t row) const;

  const TextModel& model_;
  FillSettings settings_;
  int threads_;
  std::vector<std::string> texts_;  // text of each piece
};

}  // namespace gloss
