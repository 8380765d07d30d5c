// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "pipeline/alignment/lexical_table.h"
#include "pipeline/alignment/position_model.h"

namespace gloss {

/// A pair of lines, and for each generated token the weights of the given ones.
class LineLinks {
 public:
  /// Sets the weights to the probabilities of the translations.
  void translate(std::span<const TokenId> given, std::span<const TokenId> generated, const LexicalTable&);
  /// Adds the weights to the counts of the translations.
  void count(LexicalTable&) const;

  LinkWeights links;

 private:
  std::vector<std::size_t> places_;  // of the translations in the table
};

}  // namespace gloss
