// SPDX-License-Identifier: Apache-2.0

#include "model/networks/reader.h"

#include "base/error.h"

namespace gloss {

std::unique_ptr<DecoderState> Reader::start(const TokenRows&) const {
  throw BrokenPromise("a network without text output cannot decode");
}

Tensor Reader::step(std::span<const TokenId>, DecoderState&, SourceAttention*) const {
  throw BrokenPromise("a network without text output cannot decode");
}

}  // namespace gloss
