// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network.h"
#include "pipeline/search/drafter.h"

namespace gloss {

/// Drafts by a smaller network, greedily. It stops at a token of which it is not sure.
class ModelDrafter : public Drafter {
 public:
  /// A token with less than this probability ends a draft without it.
  static constexpr double kLeastProbability = 0.4;

  /// `decoder` takes several tokens, has the vocabularies of the network whose translations it drafts, and
  /// must outlive this object. `positions`: its number of positions; what is longer gets no draft.
  ModelDrafter(const Decoder& decoder, int positions) : decoder_(decoder), positions_(positions) {}
  std::unique_ptr<Drafts> start() const override;

 private:
  const Decoder& decoder_;
  int positions_;
};

}  // namespace gloss
