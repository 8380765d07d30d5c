// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "pipeline/inference/model_description.h"

namespace gloss {

int run_info(std::span<const std::string> arguments) {
  std::string model;
  bool as_json = false;
  Options options("info", "-m DIR [--json]", "describe a model and check its files");
  options.add("Options", {{"model",
                           &model,
                           "model directory, or a training directory for its best model",
                           {},
                           'm',
                           "DIR",
                           kModelDirectory},
                          {"json", &as_json, "write one JSON object instead of text"}});
  options.common({&model, &as_json});
  options.example("Describe a model", "gloss info -m model");
  options.example("The same for programs", "gloss info -m model --json");
  options.epilogue("If a file is missing or damaged, the status is 3 and a message names the problem.\n");
  options.parse(arguments);
  if (model.empty()) throw UsageError("-m DIR is required: the model to describe");
  Output output;
  try {
    const nlohmann::json description = describe_model(model);
    output.write(as_json ? ascii_json_line(description) + "\n" : description_text(description));
  } catch (const InputError& problem) {
    if (as_json)
      output.line(ascii_json_line({{"model", model}, {"whole", false}, {"problem", problem.what()}}));
    output.close();
    throw;
  }
  output.close();
  return 0;
}

}  // namespace gloss
