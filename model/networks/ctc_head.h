// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/layers/linear.h"
#include "model/networks/network.h"
#include "model/networks/network_settings.h"

namespace gloss {

/// Where the states of each row are.
struct EncodedRows {
  Tensor states;            ///< [at least as many vectors, width]
  std::vector<int> starts;  ///< rows + 1 numbers of states
};

/// Labels each state of an encoder with a target token or the blank (connectionist temporal classification,
/// Graves et al. 2006). The begin token, which is in no target, stands for the blank. Parameters ctc.weight
/// [vocabulary, width] and ctc.bias.
class CtcHead {
 public:
  CtcHead(Parameters&, std::int64_t width, const VocabularySettings&);
  TokenId blank() const { return blank_; }
  VectorLabels label(const EncodedRows&) const;
  /// [1]: the CTC loss of the targets without their end tokens, times the weight of each row.
  Tensor loss(const EncodedRows&, const Batch&) const;

 private:
  Linear scores_;
  TokenId blank_;
};

}  // namespace gloss
