#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/comparison.h"
#include "pipeline/metrics/lengths.h"

namespace gloss {

/// What a report shows beside the results.
struct ReportFacts {
  std::string title;
  std::string references;               ///< name of the references
  std::vector<std::string> signatures;  ///< by metric
  std::vector<std::string> source;      ///< lines of the source text, or none
};

/// One HTML page with everything in it: no other file, no network. Text of the data is shown as text,
/// whatever it is.
std::string report_page(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics, const Evaluation&,
                        const LengthScores&, const Comparison&, const ReportFacts&);

/// The page's parts: its style, its body without data, and the program that fills it.
extern const char* const kReportStyle;
extern const char* const kReportBody;
extern const char* const kReportProgram;

}  // namespace gloss
