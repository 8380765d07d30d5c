// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "cli/lines/run.h"
#include "cli/options/input_files.h"
#include "pipeline/reading/line_report.h"

namespace gloss {

/// Input, output and number of threads of a line filter.
struct LineFilterSettings {
  InputFiles input;
  std::string output = "-";
  bool resume = false;
  bool numbered = false;  ///< the numbers of lines decide what becomes of them
  int threads = 1;        ///< set to the available processors by `line_filter_fields`
};
Fields line_filter_fields(LineFilterSettings&, Options&);

/// What a line becomes.
struct FilteredLine : LineReport {
  std::string text{};
};

/// Turns one line into another; `number` counts from 1. Called on many threads at once. An InputError names
/// the problem with the line, not its number.
using LineFunction = std::function<FilteredLine(const std::string& line, std::int64_t number)>;

/// Writes `work` of each line of the input as one line of the output (`answer_stream`), as a run that is not
/// open yet. The first line on which `work` throws InputError ends it.
void filter_lines(const LineFilterSettings&, const Options&, const LineFunction& work, Run&, Listener&);

}  // namespace gloss
