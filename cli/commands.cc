#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr std::array table{
      // name, group ("Text", "Models", "Use"), summary, function
      Command{"vocab", "Text", "learn a subword vocabulary from text", run_vocab},
      Command{"encode", "Text", "cut text into subword pieces or ids", run_encode},
      Command{"decode", "Text", "join subword pieces or ids into text", run_decode},
  };
  return table;
}

}  // namespace gloss
