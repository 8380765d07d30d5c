// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/recurrent_decoder_state.h"

#include <array>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/step_rows.h"

namespace gloss {
namespace {

/// Positions of the rows, tokens and sentences of two states in the joined state. Sentences without rows
/// are left out.
class Join {
 public:
  Join(const RecurrentDecoderState& first, const RecurrentDecoderState& second) {
    add(first, 0);
    add(second, 1);
  }
  Tensor of_rows(const Tensor& first, const Tensor& second) const {
    return joined(first, second, rows_, padded_rows(sentences_.size()));
  }
  Tensor of_tokens(const Tensor& first, const Tensor& second) const {
    return joined(first, second, tokens_, index(starts_.back()));
  }
  Tensor of_sentences(const Tensor& first, const Tensor& second) const {
    return joined(first, second, kept_, starts_.size() - 1);
  }
  const std::vector<int>& starts() const { return starts_; }
  const std::vector<int>& sentences() const { return sentences_; }

 private:
  using Places = std::array<std::vector<int>, 2>;  // positions of the elements of each state; -1: left out

  void add(const RecurrentDecoderState& state, std::size_t which) {
    kept_[which].assign(state.starts.size() - 1, -1);
    tokens_[which].assign(index(state.starts.back()), -1);
    for (const int sentence : state.sentences) {
      const auto number = index(sentence);
      if (kept_[which][number] < 0) {
        kept_[which][number] = static_cast<int>(starts_.size()) - 1;
        const int first = state.starts[number], count = state.starts[number + 1] - first;
        const auto begin = tokens_[which].begin() + first;
        std::iota(begin, begin + count, starts_.back());
        starts_.push_back(starts_.back() + count);
      }
      rows_[which].push_back(static_cast<int>(sentences_.size()));
      sentences_.push_back(kept_[which][number]);
    }
  }
  static Tensor joined(const Tensor& first, const Tensor& second, const Places& places, std::size_t rows) {
    const auto count = static_cast<std::int64_t>(rows);
    if (!second) return put_rows(std::span(&first, 1), {places[0]}, count);
    const Tensor pieces[] = {first, second};
    return put_rows(pieces, {places[0], places[1]}, count);
  }

  Places kept_, tokens_, rows_;
  std::vector<int> starts_{0}, sentences_;
};

}  // namespace

void RecurrentDecoderState::select(std::span<const int> rows) {
  std::vector<int> selected, selected_places, selected_vectors, from;
  std::vector<std::vector<float>> selected_seen;
  for (const int row : rows) {
    selected.push_back(sentences.at(index(row)));
    selected_places.push_back(places[index(row)]);
    selected_vectors.push_back(vectors[index(row)]);
    selected_seen.push_back(seen[index(row)]);
    from.push_back(row);
  }
  seen = std::move(selected_seen);
  sentences = std::move(selected);
  places = std::move(selected_places);
  vectors = std::move(selected_vectors);
  if (sentences.empty()) return;  // `append` adds the next rows
  from.resize(padded_rows(from.size()), -1);
  for (Tensor& state : states) state = take_rows(state, from);
  if (found) found = take_rows(found, from);
}

void RecurrentDecoderState::append(DecoderState& any) {
  auto& more = dynamic_cast<RecurrentDecoderState&>(any);
  expects(!more.found, "not a new state");
  if (sentences.empty()) {
    *this = std::move(more);
    return;
  }
  Join join(*this, more);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = join.of_rows(states[i], more.states[i]);
  if (found) found = join.of_rows(found, {});
  const bool one = memory.keys && memory.keys.raw() == memory.annotations.raw();
  memory.annotations = join.of_tokens(memory.annotations, more.memory.annotations);
  if (memory.keys) memory.keys = one ? memory.annotations : join.of_tokens(memory.keys, more.memory.keys);
  if (memory.fed) memory.fed = join.of_sentences(memory.fed, more.memory.fed);
  if (memory.summary) memory.summary = join.of_sentences(memory.summary, more.memory.summary);
  starts = join.starts();
  sentences = join.sentences();
  places.insert(places.end(), more.places.begin(), more.places.end());
  vectors.insert(vectors.end(), more.vectors.begin(), more.vectors.end());
  seen.insert(seen.end(), more.seen.begin(), more.seen.end());
}

}  // namespace gloss
