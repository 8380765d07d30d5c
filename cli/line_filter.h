#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/fields.h"

namespace gloss {

/// Where lines come from and go to, and on how many threads they are worked on.
struct LineFilterSettings {
  std::string input = "-";
  std::string output = "-";
  int threads = 1;  ///< set to the available processors by `line_filter_fields`
};
Fields line_filter_fields(LineFilterSettings&);

/// Turns one line into another; `number` counts from 1. Called on many threads at once. An InputError names
/// what is wrong with the line, not which line it is.
using LineFunction = std::function<std::string(const std::string& line, std::int64_t number)>;

/// Writes `work` of each line of the input as one line of the output, in the same order for any number of
/// threads. Lines are handed on as they come: a slow stream is answered line by line. The first line on which
/// `work` throws InputError ends the job, after the lines before it were written; file and line are added to
/// its message.
void filter_lines(const LineFilterSettings&, const LineFunction& work);

}  // namespace gloss
