// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/kernels/convolution.h"
#include "model/networks/mixers/gated_projections.h"

namespace gloss {

/// The convolution module of the Conformer (Gulati et al. 2020), with the norm of the settings instead of a
/// batch norm, whose results would depend on the batch: output(swish(norm(convolution(GLU(input(x)))))).
/// Parameters NAME.input, NAME.kernel.weight [kernel width, width], NAME.kernel_norm and NAME.output.
class ConvolutionModule {
 public:
  ConvolutionModule(Parameters&, const std::string& name, const MixerLayer&);
  /// [T, width] to [T, width].
  Tensor operator()(const Tensor& x, const SelfAttentionView&) const;

 private:
  ConvolutionTaps taps_;
  GatedProjections projections_;
  Tensor kernel_;
  Norm norm_;
};

}  // namespace gloss
