// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "model/networks/parts/pooling.h"

namespace gloss {

/// Settings of classifiers.
struct ClassifierSettings {
  int classes = 0;  ///< 0: not a classifier
  Pooling pooling = Pooling::first;
  bool inner_layer = false;  ///< a linear layer and tanh between pooling and output layer
};
/// The fields except the number of classes.
Fields fields_of(ClassifierSettings&);

}  // namespace gloss
