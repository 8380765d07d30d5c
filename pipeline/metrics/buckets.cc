// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/buckets.h"

#include <algorithm>

#include "base/index.h"
#include "base/text.h"

namespace gloss {

std::size_t bucket_of(const Bounds& bounds, std::size_t number) {
  return index(std::upper_bound(bounds.begin(), bounds.end(), number) - bounds.begin()) - 1;
}

std::string bucket_name(const Bounds& bounds, std::size_t bucket) {
  if (bucket + 1 == bounds.size()) return concat(bounds[bucket], " or more");
  if (bounds[bucket] + 1 == bounds[bucket + 1]) return concat(bounds[bucket]);
  return concat(bounds[bucket], "-", bounds[bucket + 1] - 1);
}

}  // namespace gloss
