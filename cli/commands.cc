// SPDX-License-Identifier: Apache-2.0

#include "cli/commands.h"

#include <array>
#include <vector>

#include "base/error.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr auto table = std::to_array<Command>({
      {"vocab", "Text", "learn a vocabulary from text", run_vocab},
      {"encode", "Text", "split text into subword pieces or ids", run_encode},
      {"decode", "Text", "join subword pieces or ids into text", run_decode},
      {"train", "Models", "train a translation model on parallel text", run_train},
      {"pretrain", "Models", "train a language, masked or denoising model on plain text", run_pretrain},
      {"finetune", "Models", "fine-tune a trained model on new text or a new task", run_finetune},
      {"plot", "Models", "draw training curves", run_plot},
      {"average", "Models", "average models, such as the last checkpoints", run_average},
      {"quantize", "Models", "store a model in bf16 or int8, for faster translation", run_quantize},
      {"shortlist", "Models", "restrict the output vocabulary, for faster translation", run_shortlist},
      {"info", "Models", "describe a model and check its files", run_info},
      {"translate", "Use", "translate text line by line", run_translate},
      {"generate", "Use", "continue lines of text with a language model", run_generate},
      {"fill", "Use", "fill <mask> gaps in text with a masked model", run_fill},
      {"classify", "Use", "predict the label of each line", run_classify},
      {"embed", "Use", "turn each line of text into a vector", run_embed},
      {"align", "Use", "align the words of sentences and their translations", run_align},
      {"score", "Use", "compute log-probabilities of translations or text", run_score},
      {"evaluate", "Use", "score translations with BLEU, chrF and TER, as sacreBLEU does", run_evaluate},
      {"compare", "Use", "compare systems by scores, significance and sentences", run_compare},
  });
  return table;
}

const Command& command_named(const std::string& name) {
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    known.emplace_back(command.name);
  }
  const std::string meant = nearest(name, known);
  throw UsageError(concat("unknown command '", name, "'",
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?"),
                          " ('gloss help' lists the commands)"));
}

}  // namespace gloss
