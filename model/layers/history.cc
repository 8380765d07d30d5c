// SPDX-License-Identifier: Apache-2.0

#include "model/layers/history.h"

#include <cstring>

#include "base/error.h"

namespace gloss {

void Past::add_rows(int count) {
  rows_ += count;
  if (slots_.size() < index(rows_)) slots_.resize(index(rows_));
  for (int row = rows_ - count; row < rows_; ++row) slots_[index(row)].clear();
}

void Past::advance() {
  for (int row = 0; row < rows_; ++row) {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(uses_.size()));
      uses_.push_back(0);
    }
    const int slot = free_.back();
    free_.pop_back();
    uses_[index(slot)] = 1;
    slots_[index(row)].push_back(slot);
  }
}

void Past::select(std::span<const int> rows) {
  if (selected_.size() < rows.size()) selected_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expects(rows[i] >= 0 && rows[i] < rows_, "row ", rows[i], " of ", rows_);
    selected_[i] = slots(rows[i]);
    for (const int slot : selected_[i]) ++uses_[index(slot)];
  }
  for (int row = 0; row < rows_; ++row) {
    for (const int slot : slots(row)) {
      if (--uses_[index(slot)] == 0) free_.push_back(slot);
    }
  }
  slots_.swap(selected_);
  rows_ = static_cast<int>(rows.size());
}

KeysValues History::extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t width) {
  const auto place = [&](int slot) { return blocks_[index(slot / kBlockSlots)].raw_row(slot % kBlockSlots); };
  const std::size_t bytes = index(2 * width) * size_of(now.dtype());
  const std::size_t keys = index(now.columns()) * size_of(now.dtype()) - bytes;
  seen_.clear();
  for (int row = 0; row < past.rows(); ++row) {
    const std::vector<int>& slots = past.slots(row);
    while (slots.back() >= static_cast<int>(blocks_.size()) * kBlockSlots) {
      blocks_.push_back(Tensor::uninitialised({kBlockSlots, 2 * width}, now.dtype()));
    }
    std::memcpy(place(slots.back()), static_cast<const char*>(now.raw_row(row)) + keys, bytes);
    if (before != nullptr) {
      const auto r = index(row);
      seen_.keys.insert(seen_.keys.end(), before->keys.begin() + before->starts[r],
                        before->keys.begin() + before->starts[r + 1]);
    }
    for (const int slot : slots) seen_.keys.push_back(place(slot));
    seen_.end_row();
  }
  return {{}, nullptr, &seen_};
}

const std::vector<SumRow>& History::extend_sums(const Past& past, const KeyRows* before, std::int64_t width) {
  const auto place = [&](int slot) {
    return blocks_[index(slot / kBlockSlots)].data() + std::int64_t{slot % kBlockSlots} * width;
  };
  sums_.clear();
  for (int row = 0; row < past.rows(); ++row) {
    const std::vector<int>& slots = past.slots(row);
    while (slots.back() >= static_cast<int>(blocks_.size()) * kBlockSlots)
      blocks_.push_back(Tensor::uninitialised({kBlockSlots, width}));
    SumRow sum{nullptr, place(slots.back()), static_cast<int>(slots.size()) - 1};
    if (slots.size() > 1) sum.before = place(slots[slots.size() - 2]);
    if (before != nullptr) {
      const int first = before->starts[index(row)], end = before->starts[index(row) + 1];
      if (slots.size() == 1 && end > first)
        sum.before = static_cast<const float*>(before->keys[index(end) - 1]);
      sum.place += end - first;
    }
    sums_.push_back(sum);
  }
  return sums_;
}

}  // namespace gloss
