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

void Past::take(std::span<const int> counts) {
  expects(static_cast<int>(counts.size()) == rows_, "positions for ", counts.size(), " rows of ", rows_);
  taken_.assign(counts.begin(), counts.end());
}

void Past::advance() {
  latest_.clear();
  for (int row = 0; row < rows_; ++row) {
    for (int i = taken_.empty() ? 1 : taken_[index(row)]; i > 0; --i) {
      if (free_.empty()) {
        free_.push_back(static_cast<int>(uses_.size()));
        uses_.push_back(0);
      }
      const int slot = free_.back();
      free_.pop_back();
      uses_[index(slot)] = 1;
      latest_.push_back({row, length(row)});
      slots_[index(row)].push_back(slot);
    }
  }
  taken_.clear();
}

void Past::forget(std::span<const int> counts) {
  expects(static_cast<int>(counts.size()) == rows_, "positions of ", counts.size(), " rows of ", rows_);
  for (int row = 0; row < rows_; ++row) {
    std::vector<int>& slots = slots_[index(row)];
    const int count = counts[index(row)];
    expects(count <= length(row), "forgets ", count, " of ", slots.size(), " positions");
    for (int i = 0; i < count; ++i) {
      release(slots.back());
      slots.pop_back();
    }
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
    for (const int slot : slots(row)) release(slot);
  }
  slots_.swap(selected_);
  rows_ = static_cast<int>(rows.size());
}

KeysValues History::extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t width) {
  const auto place = [&](int slot) { return blocks_[index(slot / kBlockSlots)].raw_row(slot % kBlockSlots); };
  const std::size_t bytes = index(2 * width) * size_of(now.dtype());
  const std::size_t keys = index(now.columns()) * size_of(now.dtype()) - bytes;
  seen_.clear();
  for (std::size_t i = 0; i < past.latest().size(); ++i) {
    const Past::Position position = past.latest()[i];
    const std::span<const int> slots = past.seen_from(position);
    while (slots.back() >= static_cast<int>(blocks_.size()) * kBlockSlots) {
      blocks_.push_back(Tensor::uninitialised({kBlockSlots, 2 * width}, now.dtype()));
    }
    const auto* const stored = static_cast<const char*>(now.raw_row(static_cast<std::int64_t>(i)));
    std::memcpy(place(slots.back()), stored + keys, bytes);
    if (before != nullptr) {
      const auto r = index(position.row);
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
  for (const Past::Position position : past.latest()) {
    const std::span<const int> slots = past.seen_from(position);
    while (slots.back() >= static_cast<int>(blocks_.size()) * kBlockSlots)
      blocks_.push_back(Tensor::uninitialised({kBlockSlots, width}));
    SumRow sum{nullptr, place(slots.back()), position.before};
    if (position.before > 0) sum.before = place(slots[slots.size() - 2]);
    if (before != nullptr) {
      const int first = before->starts[index(position.row)], end = before->starts[index(position.row) + 1];
      if (position.before == 0 && end > first)
        sum.before = static_cast<const float*>(before->keys[index(end) - 1]);
      sum.place += end - first;
    }
    sums_.push_back(sum);
  }
  return sums_;
}

}  // namespace gloss
