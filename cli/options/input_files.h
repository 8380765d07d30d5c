// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "base/lines.h"

namespace gloss {

class Options;

/// The text files that a filter reads, as `cat` does: plain arguments, or `--input FILE`, or standard input.
struct InputFiles {
  std::string input = "-";
  std::vector<std::string> arguments;
  std::int64_t max_line_bytes = kLongestLine;
  std::string shard;
};
/// The option `--input`; adds the plain arguments to `options`.
Field input_field(InputFiles&, Options& options, const std::string& help);
/// The option `--max-line-bytes`.
Field line_limit_field(InputFiles&);
/// The option `--shard`.
Field shard_field(std::string& shard);
/// The files to read, in their order. `models` are the values of `--model` where it takes several: the option
/// also collects the files after it (`-m DIR a.txt b.txt`), so that all from the first one that is no
/// directory on are taken from it. Throws UsageError if files are given in two ways.
std::vector<std::string> files_to_read(const InputFiles&, const Options& options,
                                       std::vector<std::string>* models = nullptr);

/// The same for commands that read one file. Throws UsageError for several.
std::string one_file_to_read(const InputFiles& given, const Options& options);

}  // namespace gloss
