// SPDX-License-Identifier: Apache-2.0

#include "model/layers/history.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace gloss {

void Past::add_rows(int count) {
  rows_ += count;
  if (slots_.size() < index(rows_)) slots_.resize(index(rows_));
  for (int row = rows_ - count; row < rows_; ++row) {
    slots_[index(row)].released = 0;
    slots_[index(row)].latest.clear();
  }
}

void Past::take(std::span<const int> counts) {
  expects(static_cast<int>(counts.size()) == rows_, "positions for ", counts.size(), " rows of ", rows_);
  taken_.assign(counts.begin(), counts.end());
}

void Past::release_unseen(Slots& row) {
  if (reach_ == 0) return;
  const int unseen = static_cast<int>(row.latest.size()) - (reach_ - 1);
  if (unseen <= 0) return;
  for (int i = 0; i < unseen; ++i) release(row.latest[index(i)]);
  row.latest.erase(row.latest.begin(), row.latest.begin() + unseen);
  row.released += unseen;
}

void Past::advance() {
  latest_.clear();
  for (int row = 0; row < rows_; ++row) {
    Slots& slots = slots_[index(row)];
    release_unseen(slots);
    for (int i = taken_.empty() ? 1 : taken_[index(row)]; i > 0; --i) {
      if (free_.empty()) {
        free_.push_back(static_cast<int>(uses_.size()));
        uses_.push_back(0);
      }
      const int slot = free_.back();
      free_.pop_back();
      uses_[index(slot)] = 1;
      latest_.push_back({row, length(row)});
      slots.latest.push_back(slot);
    }
  }
  taken_.clear();
}

std::span<const int> Past::seen_from(Position position) const {
  const Slots& slots = slots_[index(position.row)];
  const std::span<const int> all = std::span(slots.latest).first(index(position.before - slots.released) + 1);
  return reach_ == 0 || std::ssize(all) <= reach_ ? all : all.last(index(reach_));
}

void Past::forget(std::span<const int> counts) {
  expects(static_cast<int>(counts.size()) == rows_, "positions of ", counts.size(), " rows of ", rows_);
  for (int row = 0; row < rows_; ++row) {
    std::vector<int>& slots = slots_[index(row)].latest;
    const int count = counts[index(row)], left = static_cast<int>(slots.size()) - count;
    expects(left >= (slots_[index(row)].released > 0 ? reach_ - 1 : 0), "forgets ", count, " of ",
            slots.size(), " positions");
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
    selected_[i].released = slots_[index(rows[i])].released;
    selected_[i].latest = slots(rows[i]);
    for (const int slot : selected_[i].latest) ++uses_[index(slot)];
  }
  for (int row = 0; row < rows_; ++row) {
    for (const int slot : slots(row)) release(slot);
  }
  slots_.swap(selected_);
  rows_ = static_cast<int>(rows.size());
}

int SeenRows::first(int from, int place) const {
  if (from > place) return from;
  if (block == 0) return from + (place - from) % stride;
  const int in_block = from % block, own = place - place % block;
  return from >= own || in_block >= block - last ? from : from - in_block + block - last;
}

void History::make_place(int slot, std::int64_t columns, DType dtype) {
  // Large rows, such as the sums of linear attention, are in small blocks.
  constexpr std::int64_t kMostSlots = 256, kBlockBytes = 1 << 20;
  if (blocks_.empty()) {
    const std::int64_t bytes = columns * static_cast<std::int64_t>(size_of(dtype));
    const auto slots = static_cast<unsigned>(std::clamp(kBlockBytes / bytes, std::int64_t{1}, kMostSlots));
    block_bits_ = static_cast<int>(std::bit_width(slots)) - 1;
  }
  while ((slot >> block_bits_) >= static_cast<int>(blocks_.size()))
    blocks_.push_back(Tensor::uninitialised({std::int64_t{1} << block_bits_, columns}, dtype));
}

char* History::place(int slot) const {
  const int in_block = slot & ((1 << block_bits_) - 1);
  return static_cast<char*>(blocks_[index(slot >> block_bits_)].raw_row(in_block));
}

const KeyRows& History::extend(const Tensor& now, const Past& past, const KeyRows* before,
                               std::int64_t columns, const SeenRows& sees) {
  const std::size_t bytes = index(columns) * size_of(now.dtype());
  const std::size_t first = index(now.columns()) * size_of(now.dtype()) - bytes;
  seen_.clear();
  for (std::size_t i = 0; i < past.latest().size(); ++i) {
    const Past::Position position = past.latest()[i];
    const std::span<const int> slots = past.seen_from(position);
    const auto* const stored = static_cast<const char*>(now.raw_row(static_cast<std::int64_t>(i)));
    make_place(slots.back(), columns, now.dtype());
    std::memcpy(place(slots.back()), stored + first, bytes);
    const std::span<const void* const> earlier =
        before == nullptr
            ? std::span<const void* const>()
            : std::span(before->keys)
                  .subspan(
                      index(before->starts[index(position.row)]),
                      index(before->starts[index(position.row) + 1] - before->starts[index(position.row)]));
    // Rows are numbered from the first earlier one.
    const auto before_slots = static_cast<int>(earlier.size()),
               own = before_slots + static_cast<int>(slots.size()) - 1;
    const int unseen = past.reach() == 0 ? 0 : std::max(0, own + 1 - past.reach());
    for (int row = sees.first(unseen, own); row <= own; row = sees.first(row + 1, own)) {
      seen_.keys.push_back(row < before_slots ? earlier[index(row)]
                                              : place(slots[index(row - before_slots)]));
    }
    seen_.end_row();
  }
  return seen_;
}

const std::vector<SumRow>& History::extend_sums(const Past& past, const KeyRows* before, std::int64_t width) {
  const auto sums_at = [&](int slot) { return reinterpret_cast<float*>(place(slot)); };
  sums_.clear();
  for (const Past::Position position : past.latest()) {
    const std::span<const int> slots = past.seen_from(position);
    make_place(slots.back(), width, DType::f32);
    SumRow sum{nullptr, sums_at(slots.back()), position.before};
    if (position.before > 0) sum.before = sums_at(slots[slots.size() - 2]);
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
