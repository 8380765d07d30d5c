// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/counted.h"
#include "base/enumeration.h"
#include "base/error.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/text_models/averaging.h"

namespace gloss {
namespace {

/// Notes which training directories have fewer checkpoints than were asked for.
void note_missing(const std::vector<std::string>& directories, const std::vector<std::string>& models,
                  int last, Terminal& terminal) {
  for (const std::string& directory : directories) {
    const auto found = std::ranges::count_if(
        models, [&](const std::string& model) { return model.starts_with(directory + "/"); });
    if (found == 0 || found >= last) continue;  // 0: the directory is itself a model
    terminal.note(concat(directory, " has only ", counted(found, "checkpoint"),
                         " of validations or epochs, --last ", last,
                         " asks for more; a training keeps --keep-checkpoints"));
  }
}

struct AverageRequest {
  std::vector<std::string> directories;
  std::string output;
  int last = 10;
  bool overwrite = false;
};

void add_options(Options& options, AverageRequest& request) {
  options.usage("DIR... --output DIR", "average models, such as the last checkpoints");
  options.positional("DIR", request.directories);
  options.add("Options",
              {{"output", &request.output, "model directory to write", {}, 'o', "DIR", kWritten},
               {"last",
                &request.last,
                "number of latest checkpoints to take from a training directory; 0: all",
                {0, 1e6}},
               {"overwrite", &request.overwrite, "replace the model in a directory that is not empty"}});
  options.common({&request.output, &request.last});
  options.example("Average the last 10 checkpoints of a training", "gloss average run --output model");
  options.example("Average three models", "gloss average run1/best run2/best run3/best -o model");
  options.epilogue(
      "DIR is a model directory, or a training directory for its checkpoints. All models\n"
      "must have the same network and vocabulary.\n");
}

int run_average(const Options& options, AverageRequest& request) {
  if (request.output.empty())
    throw UsageError("--output DIR is required: the directory for the averaged model");
  Terminal terminal("average", options.quiet());
  const std::vector<std::string> models = models_to_average(request.directories, request.last);
  if (options.given(request.last)) note_missing(request.directories, models, request.last, terminal);
  const std::vector<std::string> rounded =
      average_models(models, request.output, request.overwrite, terminal);
  if (!rounded.empty()) {
    terminal.note(
        concat(enumeration(rounded), rounded.size() == 1 ? " is" : " are",
               " stored in bf16, int8 or int4: the mean is of rounded weights; average the models as they "
               "were trained"));
  }
  terminal.note(concat("wrote the mean of ", counted(std::ssize(models), "model"), " to ", request.output,
                       ": ", join(models, ", ")));
  return 0;
}

}  // namespace

Work declare_average(Options& options) { return work_on<AverageRequest>(options, add_options, run_average); }

}  // namespace gloss
