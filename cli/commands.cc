#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr std::array<Command, 1> table{
      // name, group ("Text", "Models", "Use"), summary, function
      Command{"translate", "Use", "translates text, one line in, one line out", run_translate},
  };
  return table;
}

}  // namespace gloss
