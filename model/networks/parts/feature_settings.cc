// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/feature_settings.h"

namespace gloss {

Fields fields_of(FeatureSettings& s) {
  return {
      {"feature_numbers",
       &s.numbers,
       "numbers of each position of a matrix (0: as in the first training item)",
       {0, 1 << 16}},
      {"feature_columns",
       &s.columns,
       "columns of the grid whose rows follow one another in a matrix, for positions in two dimensions; 0: "
       "the positions are a sequence",
       {0, 1 << 16}},
      {"feature_norm", &s.normalise, "give each number mean 0 and variance 1 over the training items"}};
}

Fields learned_fields_of(FeatureSettings& s) {
  return {{"feature_mean", &s.mean, "mean of each number in the training items"},
          {"feature_deviation", &s.deviation, "standard deviation of each number"}};
}

}  // namespace gloss
