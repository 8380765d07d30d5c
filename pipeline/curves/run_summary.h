#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/curves/run_log.h"

namespace gloss {

/// What is to be said of each run in one row: how far it came, its last and best figures, its speed. Columns
/// that no run has anything for are left out.
struct RunSummary {
  std::vector<std::string> headings;           ///< the first is for the label
  std::vector<std::vector<std::string>> rows;  ///< by run; the first cell is the label as it is
};
RunSummary summarize(std::span<const RunLog> runs);

/// The summary as aligned lines of text.
std::string summary_text(const RunSummary&);

}  // namespace gloss
