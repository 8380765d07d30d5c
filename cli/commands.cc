#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr std::array<Command, 1> table{
      // name, group ("Text", "Models", "Use"), summary, function
      Command{"evaluate", "Use", "scores translations with sacreBLEU's figures", run_evaluate},
  };
  return table;
}

}  // namespace gloss
