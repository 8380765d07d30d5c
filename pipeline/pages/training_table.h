// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/pages/logged_training.h"

namespace gloss {

/// A table of the runs: progress, last and best figures, speed. Columns without values are omitted.
struct TrainingTable {
  std::vector<std::string> headings;           ///< the first is the heading of labels
  std::vector<std::vector<std::string>> rows;  ///< by run; the first cell is the unmodified label
};
TrainingTable summarize(std::span<const LoggedTraining> runs);

/// The summary as aligned lines of text.
std::string summary_text(const TrainingTable&);

}  // namespace gloss
