// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

/// Settings of Neural Turing Machines (Graves et al. 2014) besides NetworkSizes.
struct TuringSettings {
  int memory_rows = 128;
  int memory_width = 20;
  int shift_reach = 1;  ///< a head moves by at most this many rows of the memory in a step
};
Fields fields_of(TuringSettings&);

}  // namespace gloss
