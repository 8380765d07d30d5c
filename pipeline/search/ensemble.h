// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "model/networks/network.h"

namespace gloss {

/// Combines several decoders: token probabilities and attention are weighted means of those of the members.
class Ensemble : public Decoder {
 public:
  /// The members must outlive the ensemble and share a target vocabulary; the weights are positive and sum
  /// to 1.
  Ensemble(std::vector<const Decoder*> members, std::vector<double> weights);

  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  Tensor step(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  OutputPart output_part(std::vector<TokenId> tokens) const override;
  void step_in_parts(std::span<const TokenId> latest, DecoderState&, std::span<const OutputPart* const> parts,
                     const UsePartScores& use, SourceAttention*) const override;
  bool takes_several() const override;
  bool attends() const override;
  int vocabulary_size() const override { return members_.front()->vocabulary_size(); }
  TokenId begin() const override { return members_.front()->begin(); }
  TokenId end() const override { return members_.front()->end(); }

 private:
  class State;
  /// Adds a member's weighted attention, if `attention` is not null.
  void mix_attention(std::size_t member, SourceAttention& of_member, SourceAttention* attention) const;
  std::vector<const Decoder*> members_;
  std::vector<double> weights_;
};

/// The log-probability of a weighted ensemble: log(sum(weights * exp(log_probabilities))).
double mixed_log_probability(std::span<const double> weights, std::span<const double> log_probabilities);

}  // namespace gloss
