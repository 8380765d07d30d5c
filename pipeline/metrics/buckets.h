#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gloss {

/// Ranges of whole numbers by the smallest one of each, in order; the next range's smallest ends a range.
using Bounds = std::vector<std::size_t>;

/// The range that a number is in; no number may be below all.
std::size_t bucket_of(const Bounds&, std::size_t number);
/// Such as "10-19", "4" or, for the last, "50 or more".
std::string bucket_name(const Bounds&, std::size_t bucket);

}  // namespace gloss
