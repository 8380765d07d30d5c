#include "pipeline/ensemble.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "pipeline/candidates.h"

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
  std::vector<std::unique_ptr<DecoderState>> states;  // of each member
};

double mixed_log_probability(std::span<const double> weights, std::span<const double> log_probabilities) {
  const double top = *std::ranges::max_element(log_probabilities);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * std::exp(log_probabilities[i] - top);
  return top + std::log(sum);
}

Ensemble::Ensemble(std::vector<const Decoder*> members, std::vector<double> weights)
    : members_(std::move(members)), weights_(std::move(weights)) {
  expects(!members_.empty() && weights_.size() == members_.size(), "an ensemble of ", members_.size(),
          " with ", weights_.size(), " weights");
}

std::unique_ptr<DecoderState> Ensemble::start(const TokenRows& source) const {
  auto state = std::make_unique<State>();
  for (const Decoder* member : members_) state->states.push_back(member->start(source));
  return state;
}

Tensor Ensemble::step(std::span<const TokenId> latest, DecoderState& any, SourceAttention* attention) const {
  auto& state = dynamic_cast<State&>(any);
  const auto rows = latest.size(), vocabulary = static_cast<std::size_t>(vocabulary_size());
  const auto columns = static_cast<std::int64_t>(vocabulary);
  Tensor mixed = Tensor::zeros({static_cast<std::int64_t>(rows), columns});
  SourceAttention of_member;
  std::vector<Candidate> best;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Tensor scores =
        members_[m]->step(latest, *state.states[m], attention != nullptr ? &of_member : nullptr);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* from = scores.data() + row * vocabulary;
      const auto normalizer = static_cast<float>(RowScores({from, vocabulary}).top(1, best));
      const auto weight = static_cast<float>(weights_[m]);
      float* to = mixed.data() + row * vocabulary;
      for (std::size_t token = 0; token < vocabulary; ++token)
        to[token] += weight * std::exp(from[token] - normalizer);
    }
    if (attention == nullptr) continue;
    for (float& share : of_member.weights) share *= static_cast<float>(weights_[m]);
    if (m == 0) {
      *attention = of_member;
    } else {
      for (std::size_t i = 0; i < of_member.weights.size(); ++i)
        attention->weights[i] += of_member.weights[i];
    }
  }
  // What no member thinks possible stays a finite number, below all others.
  constexpr float kLeast = 1e-37f;
  for (float& value : mixed.values()) value = std::log(std::max(value, kLeast));
  return mixed;
}

}  // namespace gloss
