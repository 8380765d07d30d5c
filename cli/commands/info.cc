// SPDX-License-Identifier: Apache-2.0

#include "base/enumeration.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/text_models/model_description.h"

namespace gloss {

int run_info(std::span<const std::string> arguments) {
  std::string model;
  std::vector<std::string> models;  // as plain arguments
  enum class Format { text, json } format = Format::text;
  Options options("info", "DIR [--format json]", "describe a model and check its files");
  options.positional("DIR", models);
  options.add(
      "Options",
      {{"model", &model, concat(kModelHelp, "; as the argument DIR"), {}, 'm', "DIR", kModelDirectory},
       {"format", choice(format, {"text", "json"}), "write text or one JSON object"}});
  options.alias("--json", "--format=json");
  options.common({&model, &format});
  options.example("Describe a model", "gloss info model");
  options.example("The same for programs", "gloss info model --format json");
  options.epilogue("If a file is missing or damaged, the status is 3 and a message names the problem.\n");
  options.parse(arguments);
  if (!model.empty()) models.insert(models.begin(), model);
  if (models.empty()) throw UsageError("DIR is required: the model to describe");
  if (models.size() > 1) {
    throw UsageError(concat("expected one model, found ", enumeration(models), "; describe one at a time"));
  }
  model = models.front();
  const bool as_json = format == Format::json;
  Terminal terminal("info", options.quiet());
  Output output;
  try {
    const nlohmann::json description = describe_model(model, terminal);
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
