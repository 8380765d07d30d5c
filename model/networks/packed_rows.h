#pragma once

#include <vector>

#include "model/networks/batch.h"
#include "model/tensor/ops.h"

namespace gloss {

// Few different sizes reach the products: token counts are rounded up with rows that no sentence owns. Those
// rows stay finite, are not attended to and get no gradient.
constexpr int kTrainingRows = 64;
constexpr int kDecodingRows = 8;

/// A packed batch's tokens with the padding behind, and their places in their sentences.
struct PackedRows {
  std::vector<TokenId> tokens;  ///< -1 behind the sentences
  std::vector<int> places;      ///< within each sentence
  std::vector<int> starts;      ///< of the sentences, and the end of the last

  PackedRows(const TokenRows&, int multiple);
  int sentences() const { return static_cast<int>(starts.size()) - 1; }
  int start(int sentence) const { return starts[static_cast<std::size_t>(sentence)]; }
  int length(int sentence) const { return start(sentence + 1) - start(sentence); }
  /// What each sentence that is not empty sees of the same sentence in `keys`.
  std::vector<AttentionSpan> spans_to(const PackedRows& keys) const;
  /// What a decoder reads: each target one place later, the begin token first and the end token never.
  std::vector<TokenId> shifted(TokenId begin) const;
};

/// The weight of each of `count` target tokens, those behind the sentences included; none if all count alike.
std::vector<float> token_weights(const Batch&, std::size_t count);
/// The sum of the weights of all target tokens.
double weight_of(const Batch&);

}  // namespace gloss
