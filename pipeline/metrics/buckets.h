// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gloss {

/// Ranges of integers, given by their lower bounds in ascending order; each ends before the next bound.
using Bounds = std::vector<std::size_t>;

/// The index of the range that contains `number`, which must not be below the first bound.
std::size_t bucket_of(const Bounds&, std::size_t number);
/// The name of a range, such as "10-19", "4" or, for the last one, "50 or more".
std::string bucket_name(const Bounds&, std::size_t bucket);

}  // namespace gloss
