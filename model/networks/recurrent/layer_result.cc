// SPDX-License-Identifier: Apache-2.0

#include "model/networks/recurrent/layer_result.h"

#include "model/tensor/ops_recurrent.h"

namespace gloss {

LayerResult::LayerResult(Parameters& parameters, const std::string& name, const RecurrentSettings& settings,
                         bool first, std::int64_t width)
    : residual_(settings.residual && !first) {
  if (settings.layer_norm) norm_.emplace(parameters, name + ".norm", width);
}

Tensor LayerResult::operator()(const Tensor& read, const Tensor& given, const DropoutMask& mask,
                               const std::vector<int>& numbers) const {
  const Tensor kept = dropout(given, mask, numbers);
  if (residual_ && norm_) return norm_->of_sum(read, kept, {});
  if (residual_) return add_dropout(read, kept, {});
  return norm_ ? (*norm_)(kept) : kept;
}

}  // namespace gloss
