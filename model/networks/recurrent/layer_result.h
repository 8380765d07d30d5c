// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layers/norm.h"
#include "model/networks/recurrent/recurrent_settings.h"

namespace gloss {

/// Dropout of a layer's output, optionally with a residual connection and layer normalisation. Parameters
/// NAME.norm.
class LayerResult {
 public:
  LayerResult(Parameters&, const std::string& name, const RecurrentSettings&, bool first, std::int64_t width);
  Tensor operator()(const Tensor& read, const Tensor& given, const DropoutMask&,
                    const std::vector<int>& numbers) const;

 private:
  bool residual_;
  std::optional<Norm> norm_;
};

}  // namespace gloss
