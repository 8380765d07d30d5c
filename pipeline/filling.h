#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/line_answers.h"
#include "pipeline/text_model.h"

namespace gloss {

/// What stands for a hidden token in a line.
extern const char* const kMaskText;

/// How masks are filled.
struct FillSettings {
  int candidates = 5;  ///< told of each mask
  SearchBatchSettings batches;
};

/// What may stand in the place of a mask.
struct MaskCandidate {
  std::string text;     ///< as it would stand in the line, without a space before it
  bool joined = false;  ///< it goes on with the word before it
  double probability = 0;
};

/// What became of a line.
struct FilledLine : LineRead {
  std::string text;                               ///< with the most probable pieces in the places of masks
  std::vector<std::vector<MaskCandidate>> masks;  ///< of each, the most probable first
};

/// Tells with a masked model what may stand in places that lines leave open; each place by itself. What
/// becomes of a line depends on nothing but the line.
class Filler {
 public:
  /// Throws UsageError if the model has no mask token. The model must live longer.
  Filler(const TextModel&, const FillSettings&, int threads);

  /// As many results as lines, in their order. A line without masks stays as it is, a blank one becomes
  /// empty.
  std::vector<FilledLine> fill(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  /// A line made ready for the network.
  struct Prepared {
    std::vector<std::string> parts;  // of the text, masks stand between them
    std::vector<TokenId> tokens;     // with class and end token; empty: nothing is asked
    std::vector<int> places;         // of masks among them
  };
  Prepared prepare(const std::string& line, FilledLine&) const;
  /// The tokens of text that follows a mask, or begins a line.
  std::vector<TokenId> encode(const std::string& part, bool behind_mask) const;
  void tell(std::span<const Prepared>, std::span<const int> batch, std::span<FilledLine>) const;
  std::vector<MaskCandidate> candidates_of(const TopScores&, std::int64_t row) const;

  const TextModel& model_;
  FillSettings settings_;
  int threads_;
  std::vector<std::string> texts_;  // of pieces
};

}  // namespace gloss
