// SPDX-License-Identifier: Apache-2.0

#include "model/networks/feed_forward.h"

#include "model/layers/initialisers.h"

namespace gloss {

FeedForward::FeedForward(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                         const TransformerSettings& settings, double output_scale)
    : activation_(settings.activation),
      gated_(settings.gated_feed_forward),
      inner_(parameters, name + ".inner", sizes.width, (gated_ ? 2 : 1) * settings.feed_forward_width,
             xavier_uniform(sizes.width, settings.feed_forward_width), settings.linear_bias),
      outer_(parameters, name + ".outer", settings.feed_forward_width, sizes.width,
             scaled(xavier_uniform(sizes.width, settings.feed_forward_width), output_scale),
             settings.linear_bias) {}

Tensor FeedForward::operator()(const Tensor& x, const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.activation();
  if (gated_) return outer_(gate(inner_(x), activation_, mask));
  if (activation_ == Activation::relu) return outer_(inner_.relu(x, mask));
  return outer_(activate(inner_(x), activation_, mask));
}

}  // namespace gloss
