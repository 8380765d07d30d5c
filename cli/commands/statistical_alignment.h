// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "cli/process/terminal.h"
#include "pipeline/alignment/symmetrisation.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// The settings of `gloss align --statistical`.
struct StatisticalAlignment {
  Symmetrisation symmetrisation = Symmetrisation::grow_diag_final_and;
  int iterations = 5, max_words = 300;
  bool lower_case = false;
};
Fields fields_of(StatisticalAlignment&);

/// Learns from the text which of its words translate each other, and writes a line of links for each pair.
/// Throws InputError if no pair has words on both sides.
void align_statistically(const ParallelFiles&, const StatisticalAlignment&, const std::string& output,
                         int threads, Terminal&);

}  // namespace gloss
