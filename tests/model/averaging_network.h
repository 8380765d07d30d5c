// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/architecture.h"

namespace gloss {

/// Settings of averaging networks only.
struct AveragingSettings {
  bool mixed_bag = true;  ///< a linear layer between the mean and the decoder
  double bag_dropout = 0;
};
Fields fields_of(AveragingSettings&);

/// Networks whose decoder sees the mean of the source embeddings and the previous target token. An example of
/// an architecture: with this row in the table, the whole program supports it.
Architecture averaging_architecture();

}  // namespace gloss
