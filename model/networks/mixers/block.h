// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/attention.h"
#include "model/networks/mixers/transformer_dropout.h"

namespace gloss {

/// A layer of an encoder, or of a decoder without an encoder.
class Block {
 public:
  virtual ~Block() = default;
  /// [T, width] to [T, width].
  virtual Tensor operator()(const Tensor& x, const SelfAttentionView&, const TransformerDropout&) const = 0;
};

}  // namespace gloss
