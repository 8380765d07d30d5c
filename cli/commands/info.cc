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
namespace {

enum class InfoFormat { text, json };

struct InfoRequest {
  std::string model;
  std::vector<std::string> models;  // as plain arguments
  InfoFormat format = InfoFormat::text;
};

void add_options(Options& options, InfoRequest& request) {
  options.usage("DIR [--format json]", "describe a model and check its files");
  options.positional("DIR", request.models);
  options.add("Options",
              {{"model",
                &request.model,
                concat(kModelHelp, "; as the argument DIR"),
                {},
                'm',
                "DIR",
                kModelDirectory},
               {"format", choice(request.format, {"text", "json"}), "write text or one JSON object"}});
  options.alias("--json", "--format=json");
  options.common({&request.model, &request.format});
  options.example("Describe a model", "gloss info model");
  options.example("The same for programs", "gloss info model --format json");
  options.epilogue("If a file is missing or damaged, the status is 3 and a message names the problem.\n");
}

int run_info(const Options& options, InfoRequest& request) {
  if (!request.model.empty()) request.models.insert(request.models.begin(), request.model);
  if (request.models.empty()) throw UsageError("DIR is required: the model to describe");
  if (request.models.size() > 1) {
    throw UsageError(
        concat("expected one model, found ", enumeration(request.models), "; describe one at a time"));
  }
  request.model = request.models.front();
  const bool as_json = request.format == InfoFormat::json;
  Terminal terminal("info", options.quiet());
  Output output;
  try {
    const nlohmann::json description = describe_model(request.model, terminal);
    output.write(as_json ? ascii_json_line(description) + "\n" : description_text(description));
  } catch (const InputError& problem) {
    if (as_json)
      output.line(ascii_json_line({{"model", request.model}, {"whole", false}, {"problem", problem.what()}}));
    output.close();
    throw;
  }
  output.close();
  return 0;
}

}  // namespace

Work declare_info(Options& options) { return work_on<InfoRequest>(options, add_options, run_info); }

}  // namespace gloss
