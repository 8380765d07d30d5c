#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr std::array<Command, 0> table{
      // name, group ("Text", "Models", "Use"), summary, function
  };
  return table;
}

}  // namespace gloss
