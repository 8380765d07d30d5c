// SPDX-License-Identifier: Apache-2.0

#include "cli/resumable_run.h"

#include "base/error.h"
#include "base/text.h"
#include "cli/version_text.h"
#include "model/kernels/instruction_set.h"

namespace gloss {
namespace {

std::vector<std::string> sums_of(const TextModels& models) {
  std::vector<std::string> sums;
  for (const TextModel& model : models.members) sums.push_back(model.sum);
  return sums;
}

/// Everything that decides the output but the input.
nlohmann::json identity_of(const Options& options, const std::vector<std::string>& model_sums) {
  return {{"command", options.name()},
          {"options", options.deciding_values()},
          {"models", model_sums},
          {"program", version_text()}};
}

}  // namespace

Field resume_field(bool& resume) {
  return {"resume",     &resume, "continue the unfinished output of an earlier run; without one, start",
          {},           0,       "",
          kFreeOnResume};
}

ResumableRun::ResumableRun(const Options& options, const std::string& output, bool resume,
                           const std::vector<std::string>& model_sums)
    : signals_(""), run_(settings(options, output, resume, model_sums)) {
  if (!run_.continues() || run_.done() > 0) return;
  signals_.change_new_paths([&] {
    const std::string partial = ResumableFile::partial_path(output);
    return std::vector<std::string>{partial + ".run", partial};
  });
}

RunSettings ResumableRun::settings(const Options& options, const std::string& output, bool resume,
                                   const std::vector<std::string>& model_sums) {
  RunSettings made{.output = output, .resume = resume};
  if (output == "-") return made;  // cannot be continued: no files are read for their checksums
  made.identity = identity_of(options, model_sums);
  made.begin = [this] { signals_.remember(); };
  made.stop_requested = [this] { return signals_.received(); };
  return made;
}

ResumableRun::ResumableRun(const Options& options, const std::string& output, bool resume,
                           const TextModels& models)
    : ResumableRun(options, output, resume, sums_of(models)) {}

ResumableRun::ResumableRun(const Options& options, const std::string& output, bool resume,
                           const TextModel& model)
    : ResumableRun(options, output, resume, std::vector<std::string>{model.sum}) {}

ResumableRun::ResumableRun(const std::string& output, bool resume, const std::string& reason)
    : signals_(""), run_({.output = output}) {
  if (resume) throw UsageError("--resume: " + reason);
}

std::string ResumableRun::earlier() const {
  return run_.done() == 0 ? "" : concat(" (", run_.done(), " of them by an earlier run)");
}

}  // namespace gloss
