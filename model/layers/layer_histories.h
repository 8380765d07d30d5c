// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "model/layers/history.h"

namespace gloss {

/// What the layers of a decoder keep of the earlier positions of the rows being decoded: for each layer a
/// History, and a Past that layers of the same reach share.
class LayerHistories {
 public:
  /// `reaches`: of the Past of each layer, see Past.
  explicit LayerHistories(std::span<const int> reaches);

  int rows() const { return pasts_.front().rows(); }
  /// The positions that the latest `advance` appended, row after row.
  std::span<const Past::Position> latest() const { return pasts_.front().latest(); }
  const Past& past(std::size_t layer) const { return pasts_[past_of_layer_[layer]]; }
  History& history(std::size_t layer) { return histories_[layer]; }

  // See Past.
  void add_rows(int count);
  void take(std::span<const int> counts);
  void advance();
  void forget(std::span<const int> counts);
  void select(std::span<const int> rows);
  /// Appends the rows of other histories, which have no past.
  void append_new(const LayerHistories& more);

 private:
  std::vector<Past> pasts_;
  std::vector<std::size_t> past_of_layer_;
  std::vector<History> histories_;
};

}  // namespace gloss
