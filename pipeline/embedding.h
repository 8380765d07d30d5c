#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/networks/pooling.h"
#include "pipeline/line_answers.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How lines become vectors.
struct EmbeddingSettings {
  Pooling pooling = Pooling::mean;
  SearchBatchSettings batches;
};
Field pooling_field(EmbeddingSettings&);

/// What became of a line.
struct EmbeddedLine : LineRead {
  std::vector<float> vector;  ///< empty: the line is blank
};

/// Gives lines of text vectors: what a network's last layer makes of their tokens, read as it was trained to.
/// An encoder reads the line with its end, one of a masked model the class token before; a language model the
/// end of another line and the line. A line's vector depends on nothing but the line.
class Embedder {
 public:
  /// The model must live longer.
  Embedder(const TextModel&, const EmbeddingSettings&, int threads);

  /// How many numbers a vector has.
  int width() const { return width_; }
  /// As many results as lines, in their order.
  std::vector<EmbeddedLine> embed(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  std::vector<TokenId> prepare(const std::string& line, EmbeddedLine&) const;
  void tell(const ReadTogether&, std::span<EmbeddedLine>) const;
  /// One row of `count` rows of states from `first` on.
  std::vector<float> pooled(const Tensor& states, int first, int count) const;

  const TextModel& model_;
  EmbeddingSettings settings_;
  int threads_;
  int width_;
};

}  // namespace gloss
