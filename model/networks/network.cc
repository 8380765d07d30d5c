// SPDX-License-Identifier: Apache-2.0

#include "model/networks/network.h"

#include <utility>

#include "base/error.h"

namespace gloss {

void DecoderState::take(std::span<const int>) {
  expects(false, "the steps of this decoder take one token of each row");
}

void DecoderState::forget(std::span<const int>) {
  expects(false, "this decoder cannot remove the tokens that it has taken");
}

void SourceAttention::begin(std::vector<std::size_t> row_starts, int of_alignment) {
  starts = std::move(row_starts);
  alignment_head = of_alignment;
  maps.clear();
}

void SourceAttention::add_layer(std::vector<std::vector<float>> of_heads) {
  heads = static_cast<int>(of_heads.size());
  if (alignment_head > 0) {
    weights = of_heads.at(index(alignment_head) - 1);
  } else {
    weights.assign(starts.back(), 0.0f);
    for (const std::vector<float>& head : of_heads) {
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += head[i] / static_cast<float>(heads);
    }
  }
  if (!of_every_head) return;
  for (std::vector<float>& head : of_heads) maps.push_back(std::move(head));
}

void Decoder::step_to_best(std::span<const TokenId> latest, DecoderState& state,
                           const TopScores::Wanted& wanted, TopScores& best,
                           SourceAttention* attention) const {
  const Tensor scores = step(latest, state, attention);
  const auto rows = static_cast<std::int64_t>(latest.size());
  best.begin(rows, scores.columns(), wanted);
  for (std::int64_t row = 0; row < rows; ++row) best.add_row(row, scores.data() + row * scores.columns());
}

void Decoder::step_in_parts(std::span<const TokenId> latest, DecoderState& state,
                            std::span<const OutputPart* const> parts, const UsePartScores& use,
                            SourceAttention* attention) const {
  const Tensor scores = step(latest, state, attention);
  std::vector<float> of_part;
  for (std::size_t row = 0; row < parts.size(); ++row) {
    const float* const all = scores.data() + static_cast<std::int64_t>(row) * scores.columns();
    of_part.clear();
    for (const TokenId token : parts[row]->tokens) of_part.push_back(all[token]);
    use(static_cast<int>(row), of_part);
  }
}

}  // namespace gloss
