// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/ensemble.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "pipeline/search/row_scores.h"

namespace gloss {

class Ensemble::State : public DecoderState {
 public:
  void select(std::span<const int> rows) override {
    for (const auto& state : states) state->select(rows);
  }
  void append(DecoderState& more) override {
    auto& others = dynamic_cast<State&>(more).states;
    for (std::size_t m = 0; m < states.size(); ++m) states[m]->append(*others[m]);
  }
  void take(std::span<const int> counts) override {
    for (const auto& state : states) state->take(counts);
  }
  void forget(std::span<const int> counts) override {
    for (const auto& state : states) state->forget(counts);
  }
  std::vector<std::unique_ptr<DecoderState>> states;  // one per member
};

double mixed_log_probability(std::span<const double> weights, std::span<const double> log_probabilities) {
  const double top = *std::ranges::max_element(log_probabilities);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * std::exp(log_probabilities[i] - top);
  return top + std::log(sum);
}

namespace {

/// Adds the weighted probabilities of member `number`, the softmax of `scores`.
void add_shares(std::size_t number, std::span<const float> scores, double member_weight, float* to) {
  thread_local std::vector<ScoredToken> best(1);
  const double log_sum = top_tokens(scores, best);
  if (!std::isfinite(log_sum)) expect_finite_score(log_sum, concat("model ", number + 1, " of the ensemble"));
  const auto normalizer = static_cast<float>(log_sum);
  const auto weight = static_cast<float>(member_weight);
  for (std::size_t i = 0; i < scores.size(); ++i) to[i] += weight * std::exp(scores[i] - normalizer);
}

/// A token with probability 0 in all members gets a finite log-probability, lower than all others.
void take_logarithms(std::span<float> shares) {
  constexpr float kLeast = 1e-37f;
  for (float& value : shares) value = std::log(std::max(value, kLeast));
}

}  // namespace

Ensemble::Ensemble(std::vector<const Decoder*> members, std::vector<double> weights)
    : members_(std::move(members)), weights_(std::move(weights)) {
  expects(!members_.empty() && weights_.size() == members_.size(), "an ensemble of ", members_.size(),
          " members has ", weights_.size(), " weights");
}

std::unique_ptr<DecoderState> Ensemble::start(const TokenRows& source) const {
  auto state = std::make_unique<State>();
  for (const Decoder* member : members_) state->states.push_back(member->start(source));
  return state;
}

bool Ensemble::attends() const {
  return std::ranges::all_of(members_, [](const Decoder* member) { return member->attends(); });
}

bool Ensemble::takes_several() const {
  return std::ranges::all_of(members_, [](const Decoder* member) { return member->takes_several(); });
}

Tensor Ensemble::step(std::span<const TokenId> latest, DecoderState& any, SourceAttention* attention) const {
  auto& state = dynamic_cast<State&>(any);
  const auto rows = latest.size(), vocabulary = index(vocabulary_size());
  const auto columns = static_cast<std::int64_t>(vocabulary);
  Tensor mixed = Tensor::zeros({static_cast<std::int64_t>(rows), columns});
  SourceAttention of_member;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Tensor scores =
        members_[m]->step(latest, *state.states[m], attention != nullptr ? &of_member : nullptr);
    for (std::size_t row = 0; row < rows; ++row) {
      add_shares(m, {scores.data() + row * vocabulary, vocabulary}, weights_[m],
                 mixed.data() + row * vocabulary);
    }
    mix_attention(m, of_member, attention);
  }
  take_logarithms(mixed.values());
  return mixed;
}

OutputPart Ensemble::output_part(std::vector<TokenId> tokens) const {
  OutputPart part;
  for (const Decoder* member : members_) part.members.push_back(member->output_part(tokens));
  part.tokens = std::move(tokens);
  return part;
}

void Ensemble::step_in_parts(std::span<const TokenId> latest, DecoderState& any,
                             std::span<const OutputPart* const> parts, const UsePartScores& use,
                             SourceAttention* attention) const {
  auto& state = dynamic_cast<State&>(any);
  std::vector<std::vector<float>> mixed;  // one vector per row
  for (const OutputPart* part : parts) mixed.emplace_back(part->tokens.size());
  SourceAttention of_member;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    std::vector<const OutputPart*> own;
    for (const OutputPart* part : parts) own.push_back(&part->members[m]);
    const auto add = [&](int row, std::span<const float> scores) {
      add_shares(m, scores, weights_[m], mixed[index(row)].data());
    };
    members_[m]->step_in_parts(latest, *state.states[m], own, add,
                               attention != nullptr ? &of_member : nullptr);
    mix_attention(m, of_member, attention);
  }
  for (std::size_t row = 0; row < mixed.size(); ++row) {
    take_logarithms(mixed[row]);
    use(static_cast<int>(row), mixed[row]);
  }
}

void Ensemble::mix_attention(std::size_t member, SourceAttention& of_member,
                             SourceAttention* attention) const {
  if (attention == nullptr) return;
  for (float& share : of_member.weights) share *= static_cast<float>(weights_[member]);
  if (member == 0) {
    *attention = of_member;
  } else {
    for (std::size_t i = 0; i < of_member.weights.size(); ++i) attention->weights[i] += of_member.weights[i];
  }
}

}  // namespace gloss
