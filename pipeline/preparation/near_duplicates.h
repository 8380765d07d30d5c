// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gloss {

/// The hash of a line without its spaces, punctuation and case (append_folded). Lines without anything else
/// have the hash of all their bytes.
std::uint64_t folded_hash(std::string_view line);

/// The least similarity of pairs that are near duplicates, unless an option sets another one. A word that is
/// changed on both sides of a short pair leaves half of its runs.
inline constexpr double kNearlySamePairs = 0.5;
/// The least similarity of single texts, of which less must agree by chance.
inline constexpr double kNearlySame = 0.7;

/// A text, or both sides of a pair, as it is compared with others. Runs of five folded characters across
/// spaces (two of ideographs) are compared: a short line has runs too, and a changed word changes few.
struct ComparedText {
  std::vector<std::uint32_t> runs;   ///< hashes of the different runs, in order; those of sides differ
  std::vector<std::uint32_t> names;  ///< hashes of the numbers and addresses, in order
};

/// Lines as they are compared, kept as folded text: a side has its words or, where there are none, other
/// characters.
std::u32string folded_sides(std::string_view source, std::string_view target);
/// What such text is compared by.
ComparedText compared_text(std::u32string_view folded);
ComparedText compared_text(std::string_view source, std::string_view target = {});

/// The share of runs that two texts have in common of all that they have (Jaccard 1901).
double similarity(const ComparedText&, const ComparedText&);
/// True if the numbers and addresses of the texts contradict one another: each has some that the other lacks.
/// "Page 7" and "Page 9" say different things.
bool contradict(const ComparedText&, const ComparedText&);

/// The number of hashes that a text is found by, of which two texts share one with probability 1 - (1 -
/// s^4)^32, where s is their similarity: 0.87 for 0.5, 0.988 for 0.6, 0.9998 for 0.7.
inline constexpr std::size_t kBands = 32;
/// The hashes of folded sides: each is of four values of a minwise sketch of the runs (Broder 1997, computed
/// as Dahlgaard, Knudsen and Thorup 2017 do: a run is hashed a few times, not once per value).
std::array<std::uint32_t, kBands> bands_of(std::u32string_view folded);
/// The hashes of all of each folded side; of a single text, twice the same.
std::array<std::uint64_t, 2> side_hashes(std::u32string_view folded);

/// Finds lines that nearly repeat (kNearlySame) one of some known lines. Known lines are found by their
/// rarest runs, of which two such lines must share one (prefix filtering, Chaudhuri et al. 2006): none is
/// missed.
class NearDuplicates {
 public:
  explicit NearDuplicates(const std::vector<std::string_view>& known);

  /// Appends the numbers of the known lines that `line` nearly repeats, in order. Thread-safe.
  void find(const ComparedText& line, std::vector<std::size_t>& found) const;
  void find(std::string_view line, std::vector<std::size_t>& found) const {
    find(compared_text(line), found);
  }
  /// From now on, this known line is not found any more.
  void forget(std::size_t number);

 private:
  std::vector<ComparedText> known_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_rare_run_;
};

}  // namespace gloss
