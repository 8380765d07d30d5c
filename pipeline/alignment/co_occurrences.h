// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipeline/alignment/token_pairs.h"

namespace gloss {

/// The target tokens of the lines in which each source token occurs.
class CoOccurrences {
 public:
  /// The lines must outlive this object.
  CoOccurrences(const PairSides& sides, int source_vocabulary);

  /// Calls `use`, on several threads, with each source token and the target tokens of its lines, each once in
  /// order of appearance; also with `source_vocabulary` and all target tokens.
  void each_source(int threads,
                   const std::function<void(TokenId source, std::span<const TokenId> targets)>& use) const;

 private:
  std::span<const std::int32_t> lines_of(TokenId source) const;

  PairSides sides_;
  int sources_;
  std::size_t target_vocabulary_;
  std::vector<std::size_t> starts_;  // of the lines of each source token, and the end
  std::vector<std::int32_t> lines_;  // in which it occurs, each once
};

}  // namespace gloss
