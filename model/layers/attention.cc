#include "model/layers/attention.h"

namespace gloss {
namespace {

/// All projections of an attention start as parts of one [3 width, width] matrix would.
Initialiser projection(std::int64_t width) { return xavier_uniform(width, 3 * width); }

Tensor attend_to(const Tensor& queries, const KeysValues& seen, std::int64_t width,
                 const AttentionShape& shape) {
  if (seen.packed) return attention(queries, seen.packed, width, seen.spans, shape);
  return attend_rows(queries, seen.rows, width, shape.heads);
}

}  // namespace

void Past::advance() {
  for (std::size_t row = 0; row < places_.size(); ++row)
    places_[row].push_back({steps_, static_cast<int>(row)});
  ++steps_;
}

void Past::select(std::span<const int> rows) {
  std::vector<std::vector<Place>> selected;
  selected.reserve(rows.size());
  for (const int row : rows) selected.push_back(places_.at(static_cast<std::size_t>(row)));
  places_ = std::move(selected);
}

KeysValues History::extend(const Tensor& now, const Past& past, std::int64_t width) {
  steps_.push_back(now);
  KeysValues seen;
  for (int row = 0; row < past.rows(); ++row) {
    for (const Past::Place& place : past.places(row)) {
      const Tensor& step = steps_[static_cast<std::size_t>(place.step)];
      const auto keys = static_cast<std::size_t>(step.columns() - 2 * width) * size_of(step.dtype());
      seen.rows.keys.push_back(static_cast<const char*>(step.raw_row(place.row)) + keys);
    }
    seen.rows.starts.push_back(static_cast<int>(seen.rows.keys.size()));
  }
  return seen;
}

SelfAttention::SelfAttention(Parameters& parameters, const std::string& name, std::int64_t width, int heads)
    : width_(width),
      heads_(heads),
      query_key_value_(parameters, name + ".query_key_value", width, 3 * width, projection(width)),
      output_(parameters, name + ".output", width, width, xavier_uniform(width, width)) {}

Tensor SelfAttention::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                 const DropoutMask& mask) const {
  const Tensor now = query_key_value_(x);
  const KeysValues seen = view.history != nullptr ? view.history->extend(now, *view.past, width_)
                                                  : KeysValues{now, *view.spans, {}};
  return output_(attend_to(now, seen, width_, {heads_, causal, mask}));
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

std::vector<float> CrossAttention::weights(const Tensor& x, const KeyRows& memory) const {
  return attention_weights(query_(x), memory, width_, heads_);
}

}  // namespace gloss
