#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr std::array table{
      // name, group ("Text", "Models", "Use"), summary, function
      Command{"train", "Models", "trains a translation model on parallel text", run_train},
      Command{"average", "Models", "writes the mean of models, such as a training's last checkpoints", run_average},
      Command{"info", "Models", "tells what is in a model directory and checks that it is whole", run_info},
  };
  return table;
}

}  // namespace gloss
