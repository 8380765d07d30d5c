// SPDX-License-Identifier: Apache-2.0

#include "cli/options/input_files.h"

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "base/shown.h"
#include "cli/options/options.h"
#include "pipeline/foreign/readable_model.h"
#include "pipeline/reading/text_files.h"

namespace gloss {
namespace {

/// Moves what follows the models to the files.
void move_files(std::vector<std::string>& models, std::vector<std::string>& files) {
  if (models.empty()) return;
  const auto first = std::find_if_not(models.begin() + 1, models.end(), means_model);
  if (first == models.end()) return;
  if (!files.empty()) {  // the order in which they were given is not known
    throw UsageError(concat("found the file ", *first, " after --model and ", files.front(),
                            " elsewhere; give all files in one place"));
  }
  files.assign(first, models.end());
  models.erase(first, models.end());
}

}  // namespace

Field input_field(InputFiles& files, Options& options, const std::string& help) {
  options.positional("FILE", files.arguments);
  return {"input", &files.input, help + "; '-' is standard input", {}, 'i', "FILE", kFreeOnResume};
}

Field line_limit_field(InputFiles& files) { return line_limit_field(files.max_line_bytes, "cut"); }

Field shard_field(std::string& shard) {
  return {
      "shard",
      &shard,
      "read the I-th of N parts of the input; with --output, the file is NAME.shard-I-of-N ('gloss merge' "
      "joins); 'auto' or 'auto/N': I from the array job; without it, the ranks of mpirun divide the input "
      "and "
      "join the output themselves",
      {},
      0,
      "I/N",
      kFreeOnResume};
}

std::vector<std::string> files_to_read(const InputFiles& given, const Options& options,
                                       std::vector<std::string>* models) {
  std::vector<std::string> files = given.arguments;
  if (models != nullptr) move_files(*models, files);
  if (files.empty()) return {given.input};
  if (options.typed(given.input)) {
    throw UsageError(concat("found --input ", shown(given.input), " and the file ", shown(files.front()),
                            "; give the files in one of the two ways"));
  }
  expect_standard_input_once(files);
  return files;
}

std::string one_file_to_read(const InputFiles& given, const Options& options) {
  const std::vector<std::string> files = files_to_read(given, options);
  if (files.size() == 1) return files.front();
  throw UsageError(concat("found the files ", files[0], " and ", files[1], ", expected one"));
}

}  // namespace gloss
