// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"
#include "base/output.h"
#include "cli/commands/evaluate_output.h"
#include "pipeline/metrics/label_report.h"

namespace gloss {

/// Writes the scores of all labels, then of each, and the confusion matrix: as one JSON object, or as tables
/// of text or LaTeX. A matrix that is too large to read is left out, with a note.
void write_labels(Output&, const std::string& scores, const LabelReport&, const ScoreOutput&, Listener&);

}  // namespace gloss
