#include "base/error.h"
#include "base/files.h"
#include "base/lines.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "pipeline/metrics/bleu.h"

namespace gloss {

int run_evaluate(std::span<const std::string> arguments) {
  Options options("evaluate", "REFERENCE... [-i HYPOTHESES] [OPTION...]",
                  "scores translations with sacreBLEU's figures");
  std::vector<std::string> references, inputs{"-"}, metrics{"bleu"};
  BleuSettings settings;
  bool score_only = false;
  int width = 1;
  options.positional("REFERENCE", references);
  options.add("Input", {{"input", &inputs, "translations to score", {}, 'i'}});
  options.add("Metrics", {{"metrics", &metrics, "bleu", {}, 'm'}});
  options.add("BLEU", {{"tokenize", &settings.tokenize, "how lines are divided into words: 13a, none"},
                       {"lowercase", &settings.lowercase, "upper case counts as lower case"}});
  options.add("Output", {{"score_only", &score_only, "only the score", {}, 'b'},
                         {"width", &width, "digits after the point", {0, 17}, 'w'}});
  options.alias("-tok", "--tokenize");
  options.alias("-lc", "--lowercase");
  if (!options.parse(arguments)) return 0;
  if (references.empty()) throw UsageError("expected one or more files of references");
  if (inputs.size() != 1) throw UsageError("expected one file of translations (--input)");
  if (metrics != std::vector<std::string>{"bleu"}) throw UsageError("expected the metric bleu (--metrics)");

  const std::vector<std::string> hypotheses = read_lines(inputs[0]);
  if (hypotheses.empty()) throw InputError(concat(inputs[0], " has no line; nothing to score"));
  std::vector<std::vector<std::string>> segments(hypotheses.size());
  for (const std::string& path : references) {
    std::vector<std::string> lines = read_lines(path);
    if (lines.size() != hypotheses.size()) {
      throw InputError(concat(path, " has ", lines.size(), " lines but ", inputs[0], " has ",
                              hypotheses.size(), "; each line is to be the translation of the same line"));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) segments[i].push_back(std::move(lines[i]));
  }
  const BleuScore score = corpus_bleu(hypotheses, segments, settings);
  Output output;
  const std::string value = fixed_text(score.score, width);
  output.line(score_only ? value : concat("BLEU = ", value, " ", score.details()));
  output.close();
  return 0;
}

}  // namespace gloss
