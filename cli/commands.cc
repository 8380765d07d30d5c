#include "cli/commands.h"

#include <array>

#include "cli/command.h"

namespace gloss {

std::span<const Command> commands() {
  static constexpr auto table = std::to_array<Command>({
      {"vocab", "Text", "learn a vocabulary from text", run_vocab},
      {"encode", "Text", "turn text into pieces or ids", run_encode},
      {"decode", "Text", "turn pieces or ids back into text", run_decode},
      {"train", "Models", "train a translation model on parallel text", run_train},
      {"pretrain", "Models", "train a model on plain text", run_pretrain},
      {"finetune", "Models", "let a trained model learn on: other text, another task", run_finetune},
      {"plot", "Models", "draw the curves of trainings", run_plot},
      {"average", "Models", "take the mean of models, such as the last checkpoints", run_average},
      {"quantize", "Models", "store a model in fewer bits, for faster translation", run_quantize},
      {"shortlist", "Models", "learn which pieces translate which, for faster translation", run_shortlist},
      {"info", "Models", "tell what is in a model and check that it is whole", run_info},
      {"translate", "Use", "translate line by line", run_translate},
      {"generate", "Use", "continue text line by line with a language model", run_generate},
      {"fill", "Use", "fill gaps in text line by line with a masked model", run_fill},
      {"classify", "Use", "tell the labels of texts line by line", run_classify},
      {"embed", "Use", "give each line of text a vector", run_embed},
      {"align", "Use", "tell which words of translations and sources belong together", run_align},
      {"score", "Use", "tell how probable a model finds translations or text", run_score},
      {"evaluate", "Use", "score translations with sacreBLEU's figures", run_evaluate},
      {"compare", "Use", "compare systems by scores, tests and sentences", run_compare},
  });
  return table;
}

}  // namespace gloss
