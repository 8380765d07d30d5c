// SPDX-License-Identifier: Apache-2.0
// Step-by-step decoding of recurrent networks.
#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/networks/recurrent_rows.h"
#include "model/networks/recurrent_translator.h"

namespace gloss {

/// The encoded source sentences and the states of the hypotheses.
class RecurrentTranslator::State : public DecoderState {
 public:
  void select(std::span<const int> rows) override {
    std::vector<int> selected, selected_places, from;
    std::vector<std::vector<float>> selected_seen;
    for (const int row : rows) {
      selected.push_back(sentences.at(index(row)));
      selected_places.push_back(places[index(row)]);
      selected_seen.push_back(seen[index(row)]);
      from.push_back(row);
    }
    seen = std::move(selected_seen);
    sentences = std::move(selected);
    places = std::move(selected_places);
    if (sentences.empty()) return;  // `append` adds the next rows
    from.resize(padded_rows(from.size()), -1);
    for (Tensor& state : states) state = take_rows(state, from);
    if (found) found = take_rows(found, from);
  }

  void append(DecoderState& any) override {
    State& more = dynamic_cast<State&>(any);
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
    seen.insert(seen.end(), more.seen.begin(), more.seen.end());
  }

  Memory memory;
  std::vector<int> starts;               // start of each sentence in `memory`
  std::vector<int> sentences;            // sentence of each row
  std::vector<int> places;               // number of tokens of each row
  std::vector<std::vector<float>> seen;  // coverage of each row: sums of its weights, head by head
  std::vector<Tensor> states;            // per layer, padded
  Tensor found;                          // input feeding: the previous step's output

 private:
  /// Positions of the rows, tokens and sentences of two states in the joined state. Sentences without rows
  /// are left out.
  class Join {
   public:
    Join(const State& first, const State& second) {
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

    void add(const State& state, std::size_t which) {
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
};

std::unique_ptr<DecoderState> RecurrentTranslator::start(const TokenRows& source) const {
  auto state = std::make_unique<State>();
  const RecurrentMasks none(sizes_, settings_, nullptr);
  state->memory = encode(pack_source(source, kDecodingRows), none);
  state->starts = source.starts;
  state->sentences.resize(index(source.rows()));
  std::iota(state->sentences.begin(), state->sentences.end(), 0);
  state->places.resize(state->sentences.size(), 0);
  for (int row = 0; row < source.rows(); ++row) {
    const int weights = settings_.coverage ? sizes_.heads * source.length(row) : 0;
    state->seen.emplace_back(index(weights), 0.0f);
  }
  std::vector<int> rows = state->sentences;
  rows.resize(padded_rows(rows.size()), -1);
  state->states = first_states(state->memory, rows);
  return state;
}

namespace {

/// Reports the attention of the single query of each span. Positions refer to the source before any reversal.
void report_attention(const Tensor& weights, const std::vector<AttentionSpan>& spans, int heads,
                      bool reversed, SourceAttention& attention) {
  std::vector<std::size_t> starts{0};
  std::vector<std::vector<float>> of_heads(index(heads));
  const float* from = weights.data();
  for (const AttentionSpan& span : spans) {
    for (std::vector<float>& head : of_heads) {
      head.insert(head.end(), from, from + span.key_count);
      if (reversed) std::reverse(head.end() - span.key_count, head.end() - 1);
      from += span.key_count;
    }
    starts.push_back(of_heads.front().size());
  }
  attention.begin(std::move(starts));
  attention.add_layer(std::move(of_heads));
}

}  // namespace

Tensor RecurrentTranslator::advance(std::span<const TokenId> latest, DecoderState& any,
                                    SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  expects(latest.size() == state.sentences.size(), "step: ", latest.size(), " tokens for ",
          state.sentences.size(), " rows");
  if (attention != nullptr && !attends()) {
    throw UsageError(
        "this model has no attention (trained with --attention none): it cannot align or show "
        "attention");
  }
  const std::size_t padded = padded_rows(latest.size());
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  tokens.resize(padded, -1);

  Rows rows;
  rows.steps = one_step(static_cast<int>(latest.size()));
  rows.sentences = state.sentences;
  rows.sentences.resize(padded, -1);
  for (std::size_t row = 0; row < latest.size(); ++row) {
    const auto sentence = index(state.sentences[row]);
    const int start = state.starts[sentence];
    rows.queries.spans.push_back({static_cast<int>(row), 1, start, state.starts[sentence + 1] - start});
  }
  rows.queries.places = state.places;
  for (int& place : state.places) ++place;
  const RecurrentMasks none(sizes_, settings_, nullptr);
  const Tensor read = embed_tokens(target_table_, tokens, settings_, {}, {});
  Earlier earlier{state.found, {}};
  if (settings_.coverage) {
    earlier.seen = nothing_seen(rows.queries.spans);
    float* to = earlier.seen.data();
    for (const std::vector<float>& row : state.seen) to = std::ranges::copy(row, to).out;
  }
  const Decoded decoded =
      run_layers(decoder_.front().cell.project(read), earlier, state.states, state.memory, rows, none);
  const Tensor result = read_out(decoded, read, {}, none);
  if (settings_.input_feeding) state.found = result;
  const float* weight = decoded.attended.weights ? decoded.attended.weights.data() : nullptr;
  for (std::vector<float>& row : state.seen) {
    for (float& sum : row) sum += *weight++;
  }
  if (attention != nullptr) {
    report_attention(decoded.attended.weights, rows.queries.spans, sizes_.heads, settings_.reverse_source,
                     *attention);
  }
  return result;
}

}  // namespace gloss
