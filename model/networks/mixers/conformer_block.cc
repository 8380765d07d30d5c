// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/conformer_block.h"

#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/kernel_widths.h"

namespace gloss {
namespace {

Residual residual_of(Parameters& parameters, const std::string& name, const MixerLayer& place) {
  TransformerSettings settings = place.settings;
  settings.norm = NormPlacement::pre;
  return {parameters, name, place.sizes, settings};
}

std::shared_ptr<const Block> make_conformer(Parameters& parameters, const std::string& name,
                                            const MixerLayer& place) {
  return std::make_shared<ConformerBlock>(parameters, name, place);
}

}  // namespace

ConformerBlock::ConformerBlock(Parameters& parameters, const std::string& name, const MixerLayer& place)
    : around_first_(residual_of(parameters, name + ".first_feed_forward", place)),
      around_attention_(residual_of(parameters, name + ".self_attention", place)),
      around_convolution_(residual_of(parameters, name + ".convolution", place)),
      around_second_(residual_of(parameters, name + ".feed_forward", place)),
      first_(parameters, name + ".first_feed_forward", place.sizes, place.settings, place.scales.initial),
      attention_(make_self_attention(parameters, name + ".self_attention", place,
                                     attention_sizes(place.sizes, place.settings))),
      convolution_(parameters, name + ".convolution", place),
      second_(parameters, name + ".feed_forward", place.sizes, place.settings, place.scales.initial),
      norm_(parameters, name + ".norm", place.sizes.width, place.settings.norms()) {}

Tensor ConformerBlock::operator()(const Tensor& x, const SelfAttentionView& view, const SourceView&,
                                  const TransformerDropout& dropout) const {
  const auto half = [&](const FeedForward& layer) {
    return [&](const Tensor& z) { return scale(layer(z, dropout), 0.5f); };
  };
  Tensor y = around_first_(x, half(first_), dropout);
  const DropoutMask mask = dropout.residual();
  y = around_attention_.after(y, (*attention_)(y, around_attention_, view, dropout), mask);
  y = around_convolution_(
      y, [&](const Tensor& z) { return convolution_(z, view); }, dropout);
  return norm_(around_second_(y, half(second_), dropout));
}

MixerKind conformer_mixer() {
  return {.name = "conformer",
          .make_block = make_conformer,
          .check = check_taps,
          .in_encoders = true,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .has_heads = true,
          .settings = {"kernel_widths", "dilations"},
          .kernel_widths = {3, 7, 15, 31}};
}

}  // namespace gloss
