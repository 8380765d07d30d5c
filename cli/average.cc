#include "base/error.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/averaging.h"

namespace gloss {

int run_average(std::span<const std::string> arguments) {
  std::vector<std::string> directories;
  std::string output;
  int last = 10;
  Options options("average", "DIR... --output DIR", "take the mean of models, such as the last checkpoints");
  options.positional("DIR", directories);
  options.add(
      "Options",
      {{"output", &output, "model directory to write", {}, 'o'},
       {"last", &last, "of a training directory take so many checkpoints, the last ones; 0: all", {0, 1e6}}});
  options.epilogue("DIR is a model directory, or a training directory for its checkpoints.\n");
  if (!options.parse(arguments)) return 0;
  if (output.empty()) throw UsageError("where shall the mean go? Give a directory with --output DIR");
  Terminal terminal("average", options.quiet());
  const std::vector<std::string> models = models_to_average(directories, last);
  average_models(models, output);
  terminal.note(concat("wrote the mean of ", models.size(), models.size() == 1 ? " model" : " models", " to ",
                       output, ": ", join(models, ", ")));
  return 0;
}

}  // namespace gloss
