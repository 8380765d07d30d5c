// SPDX-License-Identifier: Apache-2.0

#include "model/layers/layer_histories.h"

#include <algorithm>

#include "base/error.h"

namespace gloss {

LayerHistories::LayerHistories(std::span<const int> reaches) : histories_(reaches.size()) {
  for (const int reach : reaches) {
    const auto found = std::ranges::find(pasts_, reach, &Past::reach);
    past_of_layer_.push_back(index(found - pasts_.begin()));
    if (found == pasts_.end()) pasts_.emplace_back(reach);
  }
  expects(!pasts_.empty(), "a decoder without layers");
}

void LayerHistories::add_rows(int count) {
  for (Past& past : pasts_) past.add_rows(count);
}

void LayerHistories::take(std::span<const int> counts) {
  for (Past& past : pasts_) past.take(counts);
}

void LayerHistories::advance() {
  for (Past& past : pasts_) past.advance();
}

void LayerHistories::forget(std::span<const int> counts) {
  for (Past& past : pasts_) past.forget(counts);
}

void LayerHistories::select(std::span<const int> rows) {
  for (Past& past : pasts_) past.select(rows);
}

void LayerHistories::append_new(const LayerHistories& more) {
  const Past& other = more.pasts_.front();
  for (int row = 0; row < other.rows(); ++row) expects(other.length(row) == 0, "not a new state");
  add_rows(other.rows());
}

}  // namespace gloss
