#include "model/networks/network.h"

namespace gloss {

void Decoder::step_to_best(std::span<const TokenId> latest, DecoderState& state,
                           const TopScores::Wanted& wanted, TopScores& best,
                           SourceAttention* attention) const {
  const Tensor scores = step(latest, state, attention);
  const auto rows = static_cast<std::int64_t>(latest.size());
  best.begin(rows, scores.columns(), wanted);
  for (std::int64_t row = 0; row < rows; ++row) best.add_row(row, scores.data() + row * scores.columns());
}

}  // namespace gloss
