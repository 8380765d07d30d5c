// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "cli/lines/line_filter.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

enum class OutputType { piece, id };

struct EncodeSettings {
  std::string tokenizer;
  OutputType output_type = OutputType::piece;
  Normalization normalization = Normalization::none;
  double bpe_dropout = 0;
  std::int64_t seed = 1;
  LineFilterSettings lines;
};

Fields fields_of(EncodeSettings& settings) {
  return {
      {"tokenizer",
       &settings.tokenizer,
       "vocabulary made by 'gloss vocab' or SentencePiece",
       {},
       't',
       "FILE"},
      {"output_type", choice(settings.output_type, {"piece", "id"}), "write pieces or ids"},
      {"normalization", normalization_choice(settings.normalization), "Unicode normalisation of the text"},
      {"bpe_dropout", &settings.bpe_dropout, "skip each BPE merge with this probability", {0, 1}},
      {"seed", &settings.seed, "random seed of --bpe-dropout, combined with the line number", {0}},
  };
}

std::string encode_line(const Subwords& subwords, const EncodeSettings& settings, std::string_view text,
                        std::int64_t number) {
  Random random =
      Random(static_cast<std::uint64_t>(settings.seed)).derive(static_cast<std::uint64_t>(number));
  const double dropout = settings.bpe_dropout;
  if (settings.output_type == OutputType::piece) {
    return dropout > 0 ? join(subwords.sample_pieces(text, dropout, random), " ")
                       : subwords.encode_text(text);
  }
  std::string line;
  for (const int id : dropout > 0 ? subwords.sample(text, dropout, random) : subwords.encode(text)) {
    if (!line.empty()) line += ' ';
    line += std::to_string(id);
  }
  return line;
}

void add_options(Options& options, EncodeSettings& settings) {
  options.usage("-t FILE [OPTION...] [FILE...] > PIECES", "split text into subword pieces or ids");
  options.add("Encoding", fields_of(settings));
  options.add("Files and threads", line_filter_fields(settings.lines, options));
  options.epilogue(
      "Writes one line for each input line, with a space between pieces; U+2581 marks a\n"
      "space within pieces. An empty line stays empty. Characters that the vocabulary\n"
      "lacks are written unchanged (as ids: the id of <unk>).");
  options.common({&settings.tokenizer, &settings.output_type, &settings.normalization, &settings.bpe_dropout,
                  &settings.lines.input.input, &settings.lines.output, &settings.lines.threads});
  options.example("Split a file into pieces", "gloss encode -t bpe.model < text.en > text.pieces");
  options.example("Write ids instead", "gloss encode -t bpe.model --output-type id < text.en");
}

int encode(const Options& options, EncodeSettings& settings, Run& run) {
  if (settings.tokenizer.empty())
    throw UsageError("--tokenizer FILE (-t) is required: a vocabulary made by gloss vocab or SentencePiece");
  const Subwords subwords = Subwords::load(settings.tokenizer);
  settings.lines.numbered = settings.bpe_dropout > 0;
  run.join(settings.lines.output, settings.lines.input.shard);
  Terminal terminal("encode", options.quiet(), run.first());
  const auto encode_one = [&](const std::string& line, std::int64_t number) {
    const CleanText clean = clean_text(line, settings.normalization);
    FilteredLine encoded;
    encoded.replaced = clean.replaced;
    encoded.text = encode_line(subwords, settings, clean.text, number);
    return encoded;
  };
  filter_lines(settings.lines, options, encode_one, run, terminal);
  return 0;
}

}  // namespace

Work declare_encode(Options& options) { return run_of<EncodeSettings>(options, add_options, encode); }

}  // namespace gloss
