// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/turing_settings.h"

namespace gloss {

Fields fields_of(TuringSettings& s) {
  constexpr double kMostRows = 1 << 16, kMostWidth = 1 << 12, kMostReach = 100;
  return {{"memory_rows", &s.memory_rows, "rows of the memory", {1, kMostRows}},
          {"memory_width", &s.memory_width, "numbers in a row of the memory", {1, kMostWidth}},
          {"shift_reach",
           &s.shift_reach,
           "rows of the memory by which a head can move in a step, in each direction",
           {0, kMostReach}}};
}

}  // namespace gloss
