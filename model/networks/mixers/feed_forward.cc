// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/feed_forward.h"

#include "base/error.h"
#include "model/layers/initialisers.h"

namespace gloss {

FeedForward::FeedForward(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                         const TransformerSettings& settings, const InitialScales& scales)
    : activation_(settings.activation),
      gated_(settings.gated_feed_forward),
      inner_(parameters, name + ".inner", sizes.width, (gated_ ? 2 : 1) * settings.feed_forward_width,
             scaled(xavier_uniform(sizes.width, settings.feed_forward_width), scales.inner),
             settings.linear_bias),
      outer_(parameters, name + ".outer", settings.feed_forward_width, sizes.width,
             scaled(xavier_uniform(sizes.width, settings.feed_forward_width), scales.outer),
             settings.linear_bias) {
  const int width = settings.feed_forward_width;
  for (int i = 2; i < settings.feed_forward_depth; ++i) {
    middle_.emplace_back(parameters, concat(name, ".middle.", i - 2), width, width,
                         scaled(xavier_uniform(width, width), scales.inner), settings.linear_bias);
  }
}

Tensor FeedForward::activated(const Linear& layer, const Tensor& x, const DropoutMask& mask) const {
  return activation_ == Activation::relu ? layer.relu(x, mask) : activate(layer(x), activation_, mask);
}

Tensor FeedForward::operator()(const Tensor& x, const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.activation();
  Tensor y = gated_ ? gate(inner_(x), activation_, mask) : activated(inner_, x, mask);
  for (const Linear& middle : middle_) y = activated(middle, y, dropout.activation());
  return outer_(y);
}

}  // namespace gloss
