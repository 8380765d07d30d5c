// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/kernels/convolution.h"
#include "model/layers/linear.h"
#include "model/layers/norm.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The ConvMixer (Trockman and Kolter 2022): y = x + norm(activation(convolution(x))), then
/// norm(activation(pointwise(y))), with the norm of the settings instead of a batch norm, whose results would
/// depend on the batch. The kernel is a square over a grid. Parameters NAME.convolution.kernel.weight [kernel
/// width, width], or [kernel width², width] for a grid, NAME.convolution.norm, NAME.pointwise and NAME.norm.
class ConvMixerBlock : public Block {
 public:
  ConvMixerBlock(Parameters&, const std::string& name, const MixerLayer&);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, const SourceView&,
                    const TransformerDropout&) const override;

 private:
  ConvolutionTaps taps_;
  int columns_;  // of a grid; 0: a sequence
  Activation activation_;
  Tensor kernel_;
  Norm convolution_norm_;
  Linear pointwise_;
  Norm norm_;
};

/// Its row in the table of mixers.
MixerKind conv_mixer();

}  // namespace gloss
