// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/networks/parts/pooling.h"
#include "pipeline/reading/line_report.h"
#include "pipeline/tasks/parallel_batches.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Settings for embedding lines.
struct EmbeddingSettings {
  Pooling pooling = Pooling::mean;
  SearchBatchSettings batches;
};
Field pooling_field(EmbeddingSettings&);

/// A line's embedding.
struct EmbeddedLine : LineReport {
  std::vector<float> vector;  ///< empty if the line is blank
};

/// Computes embeddings of lines by pooling the hidden states of a network's last layer. The network reads a
/// line as in training: an encoder reads the line and its end token, that of a masked model also the class
/// token before it; a language model reads an end token and the line. A line's vector depends on the line
/// alone.
class Embedder {
 public:
  /// The model must outlive the embedder.
  Embedder(const TextModel&, const EmbeddingSettings&, int threads);

  /// The size of a vector.
  int width() const { return width_; }
  /// The most tokens of a line that the network has room for.
  int longest() const;
  /// One result per line, in their order.
  std::vector<EmbeddedLine> embed(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  /// The tokens before and after each line.
  struct Around {
    std::vector<TokenId> before, after;
  };
  Around around() const;
  std::vector<TokenId> prepare(const std::string& line, EmbeddedLine&) const;
  void take_results(const ReadTogether&, std::span<EmbeddedLine>) const;
  /// Pools `count` rows of states from row `first` on into one vector.
  std::vector<float> pooled(const Tensor& states, int first, int count) const;

  const TextModel& model_;
  EmbeddingSettings settings_;
  int threads_;
  int width_;
};

}  // namespace gloss
