// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// Settings of matrices [positions, numbers] that another program made of items, such as the vectors of a
/// grid over an image. Each position becomes a vector.
struct FeatureSettings {
  int numbers = 0;  ///< of each position; 0: as in the first training item
  /// Columns of the grid whose rows follow one another; positions then have two dimensions. 0: a sequence.
  int columns = 0;
  bool normalise = true;  ///< by mean and deviation
  /// Of each number over all positions of the training items.
  std::vector<std::string> mean, deviation;
};
/// The fields that users choose.
Fields fields_of(FeatureSettings&);
/// The fields that follow from the training items, besides.
Fields learned_fields_of(FeatureSettings&);

}  // namespace gloss
