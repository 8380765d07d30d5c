// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

namespace gloss {

/// Joins clusters that share a line. Both give, for each line, a line of the same cluster that is not after
/// it; then `clusters` has the first one of the joint cluster.
void join_clusters(std::vector<std::uint32_t>& clusters, const std::vector<std::uint32_t>& others);

/// The sets of lines.
struct Partition {
  std::vector<std::uint8_t> set_of;  ///< of each line: 0 is the rest, for training
  std::vector<std::int64_t> sizes;   ///< lines of each set
  std::int64_t clusters = 0, largest = 0;
};

/// Chooses whole clusters at random for sets of these sizes: clusters in random order are added to the first
/// set that they still fit into. `strata` numbers the groups of lines of which each set has its share; empty:
/// one group. Lines that are left out are in no set and no cluster.
Partition choose_sets(const std::vector<std::uint32_t>& clusters, const std::vector<std::uint32_t>& strata,
                      const std::vector<bool>& left_out, const std::vector<std::int64_t>& sizes,
                      std::uint64_t seed);

}  // namespace gloss
