// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network.h"

namespace gloss {

/// A network that reads text and generates none: calling its Decoder functions is an error of the caller.
class Reader : public Network {
 public:
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  Tensor step(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
};

}  // namespace gloss
