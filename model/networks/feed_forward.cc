// SPDX-License-Identifier: Apache-2.0

#include "model/networks/feed_forward.h"

#include "model/layers/initialisers.h"

namespace gloss {

FeedForward::FeedForward(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                         const TransformerSettings& settings, double output_scale)
    : activation_(settings.activation),
      inner_(parameters, name + ".inner", sizes.width, settings.feed_forward_width,
             xavier_uniform(sizes.width, settings.feed_forward_width)),
      outer_(parameters, name + ".outer", settings.feed_forward_width, sizes.width,
             scaled(xavier_uniform(sizes.width, settings.feed_forward_width), output_scale)) {}

Tensor FeedForward::operator()(const Tensor& x, const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.activation();
  return outer_(activation_ == Activation::relu ? inner_.relu(x, mask) : inner_.gelu(x, mask));
}

}  // namespace gloss
