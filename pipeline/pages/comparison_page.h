// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/comparison.h"
#include "pipeline/metrics/lengths.h"

namespace gloss {

/// Additional content of a report.
struct ReportFacts {
  std::string title;
  std::string references;               ///< name of the references
  std::vector<std::string> signatures;  ///< by metric
  std::vector<std::string> source;      ///< lines of the source text, or none
};

/// The comparison report as an HTML page (self_contained_page).
std::string report_page(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics, const Evaluation&,
                        const LengthScores&, const Comparison&, const ReportFacts&);

}  // namespace gloss
