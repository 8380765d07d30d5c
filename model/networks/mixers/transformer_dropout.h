// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/transformer_settings.h"
#include "model/networks/parts/network_sizes.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Dropout masks for the layers of one pass; without a generator nothing is dropped.
class TransformerDropout {
 public:
  TransformerDropout(const NetworkSizes& sizes, const TransformerSettings& settings, Random* random)
      : sizes_(sizes), settings_(settings), random_(random) {}
  DropoutMask residual() const { return dropout_mask(sizes_.dropout, random_); }
  DropoutMask attention() const { return dropout_mask(settings_.attention_dropout, random_); }
  DropoutMask activation() const { return dropout_mask(settings_.activation_dropout, random_); }
  DropoutMask embedding() const { return dropout_mask(sizes_.embedding_dropout, random_); }

 private:
  const NetworkSizes& sizes_;
  const TransformerSettings& settings_;
  Random* random_;
};

}  // namespace gloss
