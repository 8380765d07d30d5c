// SPDX-License-Identifier: Apache-2.0

#include "pipeline/preparation/partition.h"

#include <algorithm>

#include "base/random.h"

namespace gloss {

void join_clusters(std::vector<std::uint32_t>& clusters, const std::vector<std::uint32_t>& others) {
  const auto root = [&](std::uint32_t line) {
    while (clusters[line] != line) line = clusters[line] = clusters[clusters[line]];
    return line;
  };
  for (std::uint32_t line = 0; line < clusters.size(); ++line) {
    const auto [a, b] = std::minmax({root(line), root(others[line])});
    clusters[b] = a;
  }
  for (std::uint32_t line = 0; line < clusters.size(); ++line) clusters[line] = root(line);
}

Partition choose_sets(const std::vector<std::uint32_t>& clusters, const std::vector<std::uint32_t>& strata,
                      const std::vector<bool>& left_out, const std::vector<std::int64_t>& sizes,
                      std::uint64_t seed) {
  Partition chosen;
  chosen.set_of.resize(clusters.size());
  chosen.sizes.resize(sizes.size() + 1);
  std::vector<std::uint32_t> lines(clusters.size());  // of each cluster, at its first line
  std::vector<std::uint32_t> firsts;
  std::int64_t all = 0;
  for (std::uint32_t line = 0; line < clusters.size(); ++line) {
    if (left_out[line]) continue;
    ++all;
    if (lines[clusters[line]]++ == 0) firsts.push_back(clusters[line]);
  }
  for (const std::uint32_t first : firsts)
    chosen.largest = std::max<std::int64_t>(chosen.largest, lines[first]);
  chosen.clusters = std::ssize(firsts);
  const auto stratum_of = [&](std::uint32_t first) { return strata.empty() ? 0U : strata[first]; };
  const std::size_t groups = strata.empty() ? 1 : *std::ranges::max_element(strata) + std::size_t{1};
  std::vector<std::int64_t> lines_of_group(groups);
  for (const std::uint32_t first : firsts) lines_of_group[stratum_of(first)] += lines[first];
  // Each group's share of each set; the groups so far together have the rounded share of their lines.
  std::vector<std::vector<std::int64_t>> left(groups, std::vector<std::int64_t>(sizes.size()));
  for (std::size_t set = 0; set < sizes.size(); ++set) {
    std::int64_t before = 0, given = 0;
    for (std::size_t group = 0; group < groups; ++group) {
      before += lines_of_group[group];
      const auto share = static_cast<double>(before) / static_cast<double>(std::max<std::int64_t>(all, 1));
      const auto until = static_cast<std::int64_t>(share * static_cast<double>(sizes[set]) + 0.5);
      left[group][set] = until - given;
      given = until;
    }
  }
  const auto place = [&](std::uint32_t first) { return mix_bits(mix_bits(seed + 1) + first); };
  std::ranges::sort(firsts, {}, [&](std::uint32_t first) { return std::pair(place(first), first); });
  std::vector<std::uint8_t> set_of_cluster(clusters.size());
  for (const std::uint32_t first : firsts) {
    std::vector<std::int64_t>& room = left[stratum_of(first)];
    const auto fits =
        std::ranges::find_if(room, [&](std::int64_t lines_left) { return lines[first] <= lines_left; });
    if (fits == room.end()) continue;
    *fits -= lines[first];
    set_of_cluster[first] = static_cast<std::uint8_t>(fits - room.begin() + 1);
  }
  for (std::uint32_t line = 0; line < clusters.size(); ++line) {
    if (left_out[line]) continue;
    chosen.set_of[line] = set_of_cluster[clusters[line]];
    ++chosen.sizes[chosen.set_of[line]];
  }
  return chosen;
}

}  // namespace gloss
