// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/formats/stored_arrays.h"
#include "tests/fuzz/input_file.h"

namespace gloss {

/// Reads all arrays of an accepted file, which may claim at most `most` numbers altogether.
inline void read_arrays(const StoredArrays& arrays, std::size_t most) {
  for (const auto& named : arrays.all()) {
    const StoredArray& array = named.second;
    expects(array.count() <= most, "an array of ", array.count(), " numbers in a file of few bytes");
    std::vector<float> numbers(array.count());
    read_untrusted([&] { array.read(numbers); });
    read_untrusted([&] { static_cast<void>(array.bytes(1 << 16)); });
  }
}

}  // namespace gloss
