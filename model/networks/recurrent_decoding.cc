// Step-by-step decoding of recurrent networks.
#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "model/networks/recurrent.h"

namespace gloss {

/// The source once per sentence, and the states of the hypotheses.
class Recurrent::State : public DecoderState {
 public:
  void select(std::span<const int> rows) override {
    std::vector<int> selected, selected_places, from;
    std::vector<std::vector<float>> selected_seen;
    for (const int row : rows) {
      selected.push_back(sentences.at(static_cast<std::size_t>(row)));
      selected_places.push_back(places[static_cast<std::size_t>(row)]);
      selected_seen.push_back(seen[static_cast<std::size_t>(row)]);
      from.push_back(row);
    }
    seen = std::move(selected_seen);
    sentences = std::move(selected);
    places = std::move(selected_places);
    if (sentences.empty()) return;  // the next rows come with `append`
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
  std::vector<int> starts;               // of the sentences in `memory`
  std::vector<int> sentences;            // of each row
  std::vector<int> places;               // of each row: how many tokens it has
  std::vector<std::vector<float>> seen;  // of each row: with coverage the sums of its weights, head by head
  std::vector<Tensor> states;            // per layer, their rows rounded up
  Tensor found;                          // what is fed

 private:
  /// Where rows, tokens and sentences of two states come to lie in one: those of sentences that no row sees
  /// any more are left out.
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
      return joined(first, second, tokens_, static_cast<std::size_t>(starts_.back()));
    }
    Tensor of_sentences(const Tensor& first, const Tensor& second) const {
      return joined(first, second, kept_, starts_.size() - 1);
    }
    const std::vector<int>& starts() const { return starts_; }
    const std::vector<int>& sentences() const { return sentences_; }

   private:
    using Places = std::array<std::vector<int>, 2>;  // of each thing of either state; -1: left out

    void add(const State& state, std::size_t which) {
      kept_[which].assign(state.starts.size() - 1, -1);
      tokens_[which].assign(static_cast<std::size_t>(state.starts.back()), -1);
      for (const int sentence : state.sentences) {
        const auto number = static_cast<std::size_t>(sentence);
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

std::unique_ptr<DecoderState> Recurrent::start(const TokenRows& source) const {
  auto state = std::make_unique<State>();
  const RecurrentMasks none(sizes_, settings_, nullptr);
  state->memory = encode(pack_source(source, kDecodingRows), none);
  state->starts = source.starts;
  state->sentences.resize(static_cast<std::size_t>(source.rows()));
  std::iota(state->sentences.begin(), state->sentences.end(), 0);
  state->places.resize(state->sentences.size(), 0);
  for (int row = 0; row < source.rows(); ++row) {
    const int weights = settings_.coverage ? sizes_.heads * source.length(row) : 0;
    state->seen.emplace_back(static_cast<std::size_t>(weights), 0.0f);
  }
  std::vector<int> rows = state->sentences;
  rows.resize(padded_rows(rows.size()), -1);
  state->states = first_states(state->memory, rows);
  return state;
}

namespace {

/// Where the one query of each span looks. Positions are those of the source as it was given.
void tell(const Tensor& weights, const std::vector<AttentionSpan>& spans, int heads, bool reversed,
          SourceAttention& attention) {
  std::vector<std::size_t> starts{0};
  std::vector<std::vector<float>> of_heads(static_cast<std::size_t>(heads));
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

Tensor Recurrent::advance(std::span<const TokenId> latest, DecoderState& any,
                          SourceAttention* attention) const {
  State& state = dynamic_cast<State&>(any);
  expects(latest.size() == state.sentences.size(), "step: ", latest.size(), " tokens for ",
          state.sentences.size(), " rows");
  if (attention != nullptr && !attends()) {
    throw UsageError(
        "this model has no attention (it was trained with --attention none): it cannot tell where it "
        "looks");
  }
  const std::size_t padded = padded_rows(latest.size());
  std::vector<TokenId> tokens(latest.begin(), latest.end());
  tokens.resize(padded, -1);

  Rows rows;
  rows.steps = one_step(static_cast<int>(latest.size()));
  rows.sentences = state.sentences;
  rows.sentences.resize(padded, -1);
  for (std::size_t row = 0; row < latest.size(); ++row) {
    const auto sentence = static_cast<std::size_t>(state.sentences[row]);
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
    tell(decoded.attended.weights, rows.queries.spans, sizes_.heads, settings_.reverse_source, *attention);
  }
  return result;
}

}  // namespace gloss
