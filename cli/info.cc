#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "pipeline/model_description.h"

namespace gloss {

int run_info(std::span<const std::string> arguments) {
  std::string model;
  bool as_json = false;
  Options options("info", "-m DIR [--json]", "tell what is in a model and check that it is whole");
  options.add("Options",
              {{"model", &model, "model directory, or training directory for its best model", {}, 'm'},
               {"json", &as_json, "one JSON object instead of text"}});
  options.epilogue("Status 3 and a message that names the problem if the model is not whole.\n");
  if (!options.parse(arguments)) return 0;
  if (model.empty()) throw UsageError("which model? Give its directory with -m DIR");
  Output output;
  try {
    const nlohmann::json description = describe_model(model);
    output.write(as_json ? json_line(description) + "\n" : description_text(description));
  } catch (const InputError& problem) {
    if (as_json) output.line(json_line({{"model", model}, {"whole", false}, {"problem", problem.what()}}));
    output.close();
    throw;
  }
  output.close();
  return 0;
}

}  // namespace gloss
