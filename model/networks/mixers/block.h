// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/attention.h"
#include "model/networks/mixers/transformer_dropout.h"

namespace gloss {

struct SourceAttention;

/// The source as a layer of a decoder sees it, and who receives the layer's attention to it.
struct SourceView {
  KeysValues keys_values = {};                ///< made by the layer's `project_source`
  SourceAttention* attention = nullptr;  ///< during decoding
  GuidedHead* guided = nullptr;          ///< in training
};

/// A layer of an encoder or a decoder.
class Block {
 public:
  virtual ~Block() = default;
  /// [T, width] to [T, width]. Layers that do not attend to a source ignore the view of it.
  virtual Tensor operator()(const Tensor& x, const SelfAttentionView&, const SourceView&,
                            const TransformerDropout&) const = 0;
  /// The layer's keys and values of an encoder's states; empty if it does not attend to a source.
  virtual Tensor project_source(const Tensor&) const { return {}; }
};

}  // namespace gloss
