#include "base/error.h"
#include "cli/cleaning.h"
#include "cli/commands.h"
#include "cli/line_filter.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

enum class OutputType { piece, id };

struct EncodeSettings {
  std::string tokenizer;
  OutputType output_type = OutputType::piece;
  Normalization normalization = Normalization::none;
  double bpe_dropout = 0;
  std::int64_t seed = 1;
};

Fields fields_of(EncodeSettings& settings) {
  return {
      {"tokenizer", &settings.tokenizer, "subword model made by 'gloss vocab' or SentencePiece", {}, 't'},
      {"output_type", choice(settings.output_type, {"piece", "id"}), "what to write"},
      normalization_field(settings.normalization),
      {"bpe_dropout", &settings.bpe_dropout, "leave out each merge with this probability", {0, 1}},
      {"seed", &settings.seed, "of --bpe-dropout; a line's pieces depend on it and the line's number", {0}},
  };
}

std::string encode_line(const Subwords& subwords, const EncodeSettings& settings, std::string_view text,
                        std::int64_t number) {
  Random random =
      Random(static_cast<std::uint64_t>(settings.seed)).derive(static_cast<std::uint64_t>(number));
  const double dropout = settings.bpe_dropout;
  if (settings.output_type == OutputType::piece) {
    return join(dropout > 0 ? subwords.sample_pieces(text, dropout, random) : subwords.encode_pieces(text),
                " ");
  }
  std::string line;
  for (const int id : dropout > 0 ? subwords.sample(text, dropout, random) : subwords.encode(text)) {
    if (!line.empty()) line += ' ';
    line += std::to_string(id);
  }
  return line;
}

}  // namespace

int run_encode(std::span<const std::string> arguments) {
  EncodeSettings settings;
  LineFilterSettings lines;
  Options options("encode", "-t V.model [OPTION...] < TEXT > PIECES",
                  "cut text into subword pieces or their ids");
  options.add("Encoding", fields_of(settings));
  options.add("Files and threads", line_filter_fields(lines));
  options.epilogue(
      "One line out for each line in, pieces separated by one space; U+2581 stands for\n"
      "a space within pieces. An empty line stays empty. Characters that the model does\n"
      "not know are written as they are (id: that of <unk>).");
  if (!options.parse(arguments)) return 0;
  if (settings.tokenizer.empty()) throw UsageError("a subword model is needed: --tokenizer V.model");
  const Subwords subwords = Subwords::load(settings.tokenizer);
  Terminal terminal("encode", options.quiet());
  Cleaning clean(settings.normalization);
  filter_lines(lines, [&](const std::string& line, std::int64_t number) {
    return encode_line(subwords, settings, clean(line, number), number);
  });
  clean.report(terminal);
  return 0;
}

}  // namespace gloss
