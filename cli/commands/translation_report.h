// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>

#include "base/output.h"
#include "pipeline/translation/shortcomings.h"

namespace gloss {

/// What a report looks like, for the help of translate.
extern const char* const kReportFormat;

/// Writes a line for each shortcoming of a line of the input, whose number counts from 1.
void write_report(std::int64_t line, std::span<const Shortcoming>, Output&);

}  // namespace gloss
