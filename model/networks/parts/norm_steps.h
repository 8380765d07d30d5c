// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/layers/norm.h"

namespace gloss {

/// What is done before a branch, after it, or after all layers, from left to right: d is dropout, a adds the
/// input of the branch, n is layer normalisation and r RMS normalisation (Marian's spelling, as in "dan").
/// Repeated norms of one kind share their weights. Parameters NAME.layer_norm and NAME.rms_norm.
class NormSteps {
 public:
  NormSteps(Parameters&, const std::string& name, std::string steps, int width, double epsilon);
  /// `input`: of the branch, for a.
  Tensor operator()(const Tensor& y, const Tensor& input, const DropoutMask&) const;

 private:
  std::string steps_;
  std::optional<Norm> layer_norm_, rms_norm_;
};

}  // namespace gloss
