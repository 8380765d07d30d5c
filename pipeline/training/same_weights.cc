// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/same_weights.h"

#include <bit>
#include <string>

#include "base/error.h"
#include "base/random.h"

namespace gloss {
namespace {

/// A hash of the numbers.
std::string fingerprint(std::span<const float> values) {
  std::uint64_t state = values.size();
  for (const float value : values) state = mix_bits(state ^ std::bit_cast<std::uint32_t>(value));
  return std::to_string(state);
}

}  // namespace

void expect_same_weights(Ranks& ranks, std::span<const float> weights, std::int64_t update) {
  if (ranks.size() == 1) return;
  const int other = different_rank(ranks, fingerprint(weights));
  if (other < 0) return;
  throw Error(concat("after update ", update, ", rank ", other,
                     " has other weights than rank 0; run the same program on processors of the same kind on "
                     "all ranks"));
}

}  // namespace gloss
