// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"
#include "model/tensor/ops.h"

namespace gloss {

// Token counts are rounded up with padding rows to limit the number of different product shapes. Padding rows
// stay finite, are not attended to and get no gradient.
constexpr int kTrainingRows = 64;
constexpr int kDecodingRows = 8;

/// The tokens of a packed batch, padded, with their positions in their sentences.
struct PackedRows {
  std::vector<TokenId> tokens;  ///< -1: padding
  std::vector<int> places;      ///< positions within each sentence
  std::vector<int> starts;      ///< start of each sentence, and the end of the last
  /// Those of the TokenRows, which must outlive this object; empty for text.
  std::span<const float> numbers;
  std::span<const std::size_t> number_starts;
  int multiple;  ///< of which the number of tokens with padding is one

  PackedRows(const TokenRows&, int multiple);
  /// Rows with one token for every two of these, rounded up, which have no numbers.
  PackedRows halved() const;
  int sentences() const { return static_cast<int>(starts.size()) - 1; }
  int start(int sentence) const { return starts[index(sentence)]; }
  int length(int sentence) const { return start(sentence + 1) - start(sentence); }
  /// The spans of `keys` that the non-empty sentences attend to: each sentence the same one.
  std::vector<AttentionSpan> spans_to(const PackedRows& keys) const;
  /// Decoder inputs (teacher forcing): targets shifted by one position, with the begin token first and
  /// without the end token.
  std::vector<TokenId> shifted(TokenId begin) const;
};

/// The weight of each of `count` target tokens, padding included; empty if all weights are 1.
std::vector<float> token_weights(const Batch&, std::size_t count);
/// The sum of the weights of all target tokens.
double weight_of(const Batch&);

}  // namespace gloss
