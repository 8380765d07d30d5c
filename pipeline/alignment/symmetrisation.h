// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// Words of a source and a target line that translate each other, numbered from 0.
struct WordLink {
  int source = 0, target = 0;
  bool operator==(const WordLink&) const = default;
};

/// How the links of two directions become those of a pair (Och and Ney 2003, Koehn et al. 2003).
enum class Symmetrisation { grow_diag_final_and, grow_diag, intersection, union_of_both, forward, reverse };
Choice symmetrisation_choice(Symmetrisation&);

/// The links of a pair, sorted by source and then target word. `source_of` gives for each target word the
/// source word that generates it, `target_of` for each source word the target word that generates it; -1:
/// none.
std::vector<WordLink> symmetrise(std::span<const int> source_of, std::span<const int> target_of,
                                 Symmetrisation);

}  // namespace gloss
