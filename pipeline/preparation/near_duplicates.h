// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gloss {

/// The hash of a line without its spaces, punctuation and the case of ASCII letters. Lines without anything
/// else have the hash of all their bytes.
std::uint64_t folded_hash(std::string_view line);

/// Finds lines that nearly repeat one of some known lines: whose folded bytes (folded_hash) have at least 70
/// % of their different runs of five bytes in common (Jaccard similarity). Known lines are found by their
/// rarest runs, of which two such lines must share one (prefix filtering, Chaudhuri et al. 2006).
class NearDuplicates {
 public:
  explicit NearDuplicates(const std::vector<std::string_view>& known);

  /// Appends the numbers of the known lines that `line` nearly repeats, in order.
  void find(std::string_view line, std::vector<std::size_t>& found);
  /// From now on, this known line is not found any more.
  void forget(std::size_t number);

 private:
  using Runs = std::vector<std::uint64_t>;  // hashes of the different runs, in order
  static Runs runs_of(std::string_view line);

  std::vector<Runs> known_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_rare_run_;
  std::vector<std::size_t> candidates_;
};

}  // namespace gloss
