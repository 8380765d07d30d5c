#include "model/networks/reader.h"

#include "base/error.h"

namespace gloss {

std::unique_ptr<DecoderState> Reader::start(const TokenRows&) const {
  throw BrokenPromise("a network that writes no text is to decode");
}

Tensor Reader::step(std::span<const TokenId>, DecoderState&, SourceAttention*) const {
  throw BrokenPromise("a network that writes no text is to decode");
}

}  // namespace gloss
