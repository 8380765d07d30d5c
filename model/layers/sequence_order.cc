// SPDX-License-Identifier: Apache-2.0

#include "model/layers/sequence_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/index.h"

namespace gloss {

SequenceOrder::SequenceOrder(std::vector<int> starts) : starts_(std::move(starts)) {
  sequences_.resize(starts_.size() - 1);
  std::iota(sequences_.begin(), sequences_.end(), 0);
  const auto length = [&](int sequence) { return starts_[index(sequence) + 1] - starts_[index(sequence)]; };
  std::ranges::stable_sort(sequences_, std::greater<>(), length);
}

std::shared_ptr<const RecurrentSteps> SequenceOrder::steps(bool backwards) const {
  auto made = std::make_shared<RecurrentSteps>();
  for (int step = 0;; ++step) {
    int count = 0;
    for (const int sequence : sequences_) {
      const int start = starts_[index(sequence)], end = starts_[index(sequence) + 1];
      if (end - start <= step) break;
      made->rows.push_back(backwards ? end - 1 - step : start + step);
      ++count;
    }
    if (count == 0) return made;
    made->counts.push_back(count);
  }
}

}  // namespace gloss
