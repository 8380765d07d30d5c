// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/output.h"
#include "pipeline/metrics/metric.h"

namespace gloss {

/// Writes, for each line of the file `reference`, the translation of the file `list`, an n-best list, that
/// scores best by itself; of equal ones the first. Throws InputError, naming file and line, if the list is
/// malformed, not in the order of lines, or lacks a line.
void write_best_translations(const std::string& reference, const std::string& list, const Metric&, Output&);

}  // namespace gloss
