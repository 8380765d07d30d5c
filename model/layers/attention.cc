#include "model/layers/attention.h"

#include <cstring>
#include <utility>

#include "base/error.h"

namespace gloss {
namespace {

/// All projections of an attention start as parts of one [3 width, width] matrix would.
Initialiser projection(std::int64_t width) { return xavier_uniform(width, 3 * width); }

Tensor attend_to(const Tensor& queries, const KeysValues& seen, std::int64_t width,
                 const AttentionShape& shape) {
  if (seen.packed) return attention(queries, seen.packed, width, *seen.spans, shape);
  return attend_rows(queries, *seen.rows, width, shape.heads, shape.distances);
}

}  // namespace

void Past::add_rows(int count) {
  rows_ += count;
  if (slots_.size() < static_cast<std::size_t>(rows_)) slots_.resize(static_cast<std::size_t>(rows_));
  for (int row = rows_ - count; row < rows_; ++row) slots_[static_cast<std::size_t>(row)].clear();
}

void Past::advance() {
  for (int row = 0; row < rows_; ++row) {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(uses_.size()));
      uses_.push_back(0);
    }
    const int slot = free_.back();
    free_.pop_back();
    uses_[static_cast<std::size_t>(slot)] = 1;
    slots_[static_cast<std::size_t>(row)].push_back(slot);
  }
}

void Past::select(std::span<const int> rows) {
  if (selected_.size() < rows.size()) selected_.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    expects(rows[i] >= 0 && rows[i] < rows_, "row ", rows[i], " of ", rows_);
    selected_[i] = slots(rows[i]);
    for (const int slot : selected_[i]) ++uses_[static_cast<std::size_t>(slot)];
  }
  for (int row = 0; row < rows_; ++row) {
    for (const int slot : slots(row)) {
      if (--uses_[static_cast<std::size_t>(slot)] == 0) free_.push_back(slot);
    }
  }
  slots_.swap(selected_);
  rows_ = static_cast<int>(rows.size());
}

KeysValues History::extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t width) {
  const auto place = [&](int slot) {
    return blocks_[static_cast<std::size_t>(slot / kBlockSlots)].raw_row(slot % kBlockSlots);
  };
  const std::size_t bytes = static_cast<std::size_t>(2 * width) * size_of(now.dtype());
  const std::size_t keys = static_cast<std::size_t>(now.columns()) * size_of(now.dtype()) - bytes;
  seen_.clear();
  for (int row = 0; row < past.rows(); ++row) {
    const std::vector<int>& slots = past.slots(row);
    while (slots.back() >= static_cast<int>(blocks_.size()) * kBlockSlots) {
      blocks_.push_back(Tensor::uninitialised({kBlockSlots, 2 * width}, now.dtype()));
    }
    std::memcpy(place(slots.back()), static_cast<const char*>(now.raw_row(row)) + keys, bytes);
    if (before != nullptr) {
      const auto r = static_cast<std::size_t>(row);
      seen_.keys.insert(seen_.keys.end(), before->keys.begin() + before->starts[r],
                        before->keys.begin() + before->starts[r + 1]);
    }
    for (const int slot : slots) seen_.keys.push_back(place(slot));
    seen_.end_row();
  }
  return {{}, nullptr, &seen_};
}

SelfAttention::SelfAttention(Parameters& parameters, const std::string& name, std::int64_t width, int heads,
                             AttentionPositions positions, double output_scale)
    : width_(width),
      heads_(heads),
      positions_(std::move(positions)),
      query_key_value_(parameters, name + ".query_key_value", width, 3 * width, projection(width)),
      output_(parameters, name + ".output", width, width,
              scaled(xavier_uniform(width, width), output_scale)) {}

Tensor SelfAttention::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                 const DropoutMask& mask) const {
  Tensor now = query_key_value_(x);
  if (positions_.angles) now = rotate(now, positions_.angles, *view.places, 2 * heads_);  // queries and keys
  const KeysValues seen = view.spans == nullptr ? view.history->extend(now, *view.past, view.before, width_)
                                                : KeysValues{now, view.spans, nullptr};
  if (view.projected != nullptr) *view.projected = now;
  return output_(attend_to(now, seen, width_, {heads_, causal, mask, positions_.distances}));
}

CrossAttention::CrossAttention(Parameters& parameters, const std::string& name, std::int64_t width, int heads)
    : width_(width),
      heads_(heads),
      query_(parameters, name + ".query", width, width, projection(width)),
      key_value_(parameters, name + ".key_value", width, 2 * width, projection(width)),
      output_(parameters, name + ".output", width, width, xavier_uniform(width, width)) {}

Tensor CrossAttention::project(const Tensor& memory) const { return key_value_(memory); }

Tensor CrossAttention::attend(const Tensor& x, const KeysValues& memory, const DropoutMask& mask) const {
  return output_(attend_to(query_(x), memory, width_, {heads_, false, mask}));
}

std::vector<std::vector<float>> CrossAttention::weights(const Tensor& x, const KeyRows& memory) const {
  return attention_weights(query_(x), memory, width_, heads_);
}

}  // namespace gloss
