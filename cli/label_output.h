#pragma once

#include <string>

#include "base/files.h"
#include "base/listener.h"
#include "cli/evaluate_output.h"
#include "pipeline/metrics/label_report.h"

namespace gloss {

/// Writes the scores of all labels, then of each, and which label was taken for which: as one JSON object, or
/// as tables of text or LaTeX. A table of too many labels to be read is left out, which is told.
void write_labels(Output&, const std::string& scores, const LabelReport&, const ScoreOutput&, Listener&);

}  // namespace gloss
