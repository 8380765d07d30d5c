// SPDX-License-Identifier: Apache-2.0

#include "cli/table/commands.h"

#include <array>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/text.h"

namespace gloss {
namespace {

/// The command for what other programs of the field call differently; empty if the name is not known.
std::string own_command_for(std::string_view name) {
  static constexpr auto table = std::to_array<std::pair<std::string_view, const char*>>({
      {"bleu chrf ter sacrebleu metrics eval test", "evaluate"},
      {"spm_train marian-vocab learn-bpe learn_bpe tokenizer vocabulary build_vocab build-vocab", "vocab"},
      {"spm_encode apply-bpe apply_bpe tokenize tokenise preprocess fairseq-preprocess", "encode"},
      {"spm_decode detokenize detokenise", "decode"},
      {"quantise int8", "quantize"},
      {"filter opusfilter opuscleaner bicleaner hardrules clean-corpus-n bifixer cleanup", "clean"},
      {"dedup deduplicate deduplication uniq minhash decontaminate", "dedupe"},
      {"split-data train-test-split train_test_split holdout", "partition"},
      {"sentence-splitter split-sentences sentences segment ssplit", "split"},
      {"language lid detect-language identify fasttext cld2 langdetect", "langid"},
      {"convert ct2-transformers-converter ct2-marian-converter ct2-opus-mt-converter", "import"},
      {"decoder predict infer interactive translator ct2-translator marian-decoder marian-server "
       "fairseq-generate fairseq-interactive onmt_translate onmt-translate sockeye-translate",
       "translate"},
      {"fine-tune adapt continue", "finetune"},
      {"lm sample complete", "generate"},
      {"marian fairseq-train onmt_train onmt-train sockeye-train", "train"},
      {"perplexity rescore scorer rescorer marian-scorer", "score"},
      {"embedding embeddings encode-text vectors", "embed"},
      {"average-checkpoints average_checkpoints", "average"},
      {"show describe inspect check", "info"},
      {"mbr reranking rescoring", "rerank"},
      {"mert kb-mira pro", "tune"},
      {"compare-mt paired significance diff", "compare"},
      {"fast_align aligner eflomal", "align"},
  });
  for (const auto& [names, command] : table) {
    for (const std::string& known : split(names, ' ')) {
      if (known == name) return command;
    }
  }
  return "";
}

/// Throws UsageError for an option in the place of a command.
void expect_command(const std::string& name) {
  if (!name.starts_with('-')) return;
  const std::string meant = name == "-v" ? "--version" : nearest(lower_case(name), {"--version", "--help"});
  throw UsageError(concat("found the option '", name, "', expected a command; ",
                          meant.empty() ? "options follow the command: gloss COMMAND [OPTION...]"
                                        : concat("did you mean '", meant, "'?"),
                          " ('gloss help' lists the commands)"));
}

}  // namespace

std::span<const Command> commands() {
  static constexpr auto table = std::to_array<Command>({
      {"clean", "Text", "clean a corpus by rules and repairs", declare_clean},
      {"split", "Text", "split text into sentences, and join them again", declare_split},
      {"langid", "Text", "name the language of each line", declare_langid},
      {"dedupe", "Text", "remove repeated lines and pairs, and what test sets have", declare_dedupe},
      {"partition", "Text", "divide text into training, validation and test sets", declare_partition},
      {"vocab", "Text", "learn a vocabulary from text", declare_vocab},
      {"encode", "Text", "split text into subword pieces or ids", declare_encode},
      {"decode", "Text", "join subword pieces or ids into text", declare_decode},
      {"train", "Models", "train a translation model on parallel text", declare_train},
      {"pretrain", "Models", "train a language, masked or denoising model on plain text", declare_pretrain},
      {"finetune", "Models", "fine-tune a trained model on new text or a new task", declare_finetune},
      {"plot", "Models", "draw training curves", declare_plot},
      {"average", "Models", "average models, such as the last checkpoints", declare_average},
      {"import", "Models", "convert a model of another program", declare_import},
      {"export", "Models", "write a model in the form of another program", declare_export},
      {"quantize", "Models", "store a model in bf16, int8 or int4, for faster translation", declare_quantize},
      {"shortlist", "Models", "restrict the output vocabulary, for faster translation", declare_shortlist},
      {"info", "Models", "describe a model and check its files", declare_info},
      {"translate", "Use", "translate text line by line", declare_translate},
      {"generate", "Use", "continue lines of text with a language model", declare_generate},
      {"fill", "Use", "fill <mask> gaps in text with a masked model", declare_fill},
      {"classify", "Use", "predict the label of each line", declare_classify},
      {"answer", "Use", "answer questions about stories", declare_answer},
      {"embed", "Use", "turn each line of text into a vector", declare_embed},
      {"align", "Use", "align the words of sentences and their translations", declare_align},
      {"merge", "Use", "join the shards of an output", declare_merge},
      {"score", "Use", "compute log-probabilities of translations or text", declare_score},
      {"rerank", "Use", "choose the best translations of n-best lists", declare_rerank},
      {"tune", "Use", "learn the weights of features, for reranking", declare_tune},
      {"evaluate", "Use", "score translations with BLEU, chrF and TER, as sacreBLEU does", declare_evaluate},
      {"compare", "Use", "compare systems by scores, significance and sentences", declare_compare},
  });
  return table;
}

const Command& command_named(const std::string& name) {
  expect_command(name);
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    known.emplace_back(command.name);
  }
  const std::string lower = lower_case(name);
  const std::string foreign = own_command_for(lower);
  const std::string meant = foreign.empty() ? nearest(lower, known) : foreign;
  throw UsageError(concat("unknown command '", name, "'",
                          meant.empty() ? "" : concat("; did you mean '", meant, "'?"),
                          " ('gloss help' lists the commands)"));
}

}  // namespace gloss
