#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr auto table = std::to_array<Command>({
      {"vocab", "Text", "learn a BPE vocabulary from text", run_vocab},
      {"encode", "Text", "turn text into pieces or ids", run_encode},
      {"decode", "Text", "turn pieces or ids back into text", run_decode},
      {"translate", "Use", "translate line by line", run_translate},
      {"evaluate", "Use", "score translations with sacreBLEU's figures", run_evaluate},
  });
  return table;
}

}  // namespace gloss
