// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "tokenizer/model_file.h"

namespace gloss {

/// A part of a text and the id of its piece, or the unknown id.
struct Segment {
  std::string_view text;
  int id;
};

/// Byte-pair encoding (Sennrich et al. 2016) with SentencePiece's results, and BPE dropout (Provilkov et al.
/// 2020). Implemented here because SentencePiece samples from hidden thread-local generators, which makes its
/// samples irreproducible.
class BytePairs {
 public:
  /// `model` must outlive this object.
  explicit BytePairs(const ModelFile& model);

  /// Splits a normalised text (spaces are U+2581) into segments. Each merge is skipped with probability
  /// `dropout`; `random` may be null if `dropout` is 0.
  std::vector<Segment> segment(std::string_view text, double dropout, Random* random) const;

 private:
  std::size_t user_symbol_size(std::string_view text) const;
  int find(std::string_view text) const;

  const ModelFile& model_;
  std::unordered_map<std::string_view, int> ids_;
  std::array<std::vector<std::size_t>, 256> user_sizes_;  // by first byte, longest first
};

}  // namespace gloss
