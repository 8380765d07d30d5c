// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// The sequences of a packed batch in the order that recurrences need: longest first, so that finished
/// sequences are always the last.
class SequenceOrder {
 public:
  /// `starts`: the start of each sequence, and the end of the last. No sequence may be empty.
  explicit SequenceOrder(std::vector<int> starts);
  /// Indices of the sequences, longest first; ties: the lower index first.
  const std::vector<int>& sequences() const { return sequences_; }
  /// Steps from each sequence's first row to its last; `backwards`: from the last to the first.
  std::shared_ptr<const RecurrentSteps> forwards() const { return steps(false); }
  std::shared_ptr<const RecurrentSteps> backwards() const { return steps(true); }

 private:
  std::shared_ptr<const RecurrentSteps> steps(bool backwards) const;
  std::vector<int> starts_, sequences_;
};

}  // namespace gloss
