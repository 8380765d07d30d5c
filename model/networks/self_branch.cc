// SPDX-License-Identifier: Apache-2.0

#include "model/networks/self_branch.h"

namespace gloss {
namespace {

/// What a block has as its first branch.
Autoregression kind_of(const TransformerSettings& settings, bool causal) {
  return causal ? settings.decoder_autoregression : Autoregression::attention;
}

std::string part_of(Autoregression kind) {
  switch (kind) {
    case Autoregression::attention:
      return ".self_attention";
    case Autoregression::ssru:
      return ".ssru";
    case Autoregression::average:
      return ".average_attention";
  }
  return "";
}

}  // namespace

SelfBranch::SelfBranch(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                       const TransformerSettings& settings, bool causal, const LayerScales& scales)
    : causal_(causal),
      raw_past_(causal && settings.raw_past),
      around_(parameters, name + part_of(kind_of(settings, causal)), sizes, settings, scales.input) {
  const Autoregression kind = kind_of(settings, causal);
  const std::string own = name + part_of(kind);
  switch (kind) {
    case Autoregression::attention:
      attention_.emplace(parameters, own, attention_sizes(sizes, settings), scales.initial);
      break;
    case Autoregression::ssru:
      ssru_.emplace(parameters, own, sizes.width);
      break;
    case Autoregression::average:
      average_.emplace(parameters, own, average_attention_sizes(sizes, settings));
      break;
  }
}

Tensor SelfBranch::operator()(const Tensor& x, const SelfAttentionView& view,
                              const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.residual();  // sampled before the masks of the branch
  if (average_) {                               // normalises the means
    const Tensor mean = around_.before(AverageAttention::mean(x, view), dropout);
    return around_.after(x, average_->finish(x, mean, dropout.activation()), mask);
  }
  const Tensor y = around_.before(x, dropout);
  SelfAttentionView own = view;
  if (raw_past_ && view.spans == nullptr) own.raw = &x;
  const Tensor branch = ssru_ ? (*ssru_)(y, view) : (*attention_)(y, own, causal_, dropout.attention());
  return around_.after(x, branch, mask);
}

}  // namespace gloss
