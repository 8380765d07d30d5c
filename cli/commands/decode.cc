// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "base/shown.h"
#include "cli/lines/line_filter.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

enum class InputType { piece, id };

struct DecodeSettings {
  std::string tokenizer;
  InputType input_type = InputType::piece;
  LineFilterSettings lines;
};

Fields fields_of(DecodeSettings& settings) {
  return {
      {"tokenizer",
       &settings.tokenizer,
       "vocabulary made by 'gloss vocab' or SentencePiece",
       {},
       't',
       "FILE"},
      {"input_type", choice(settings.input_type, {"piece", "id"}), "read pieces or ids"},
  };
}

/// The words of a line, separated by any number of spaces.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words = split(line, ' ');
  std::erase(words, "");
  return words;
}

std::string decode_ids(const Subwords& subwords, const std::string& line) {
  std::vector<int> ids;
  for (const std::string& word : words_of(line)) {
    int id = 0;
    if (!parse_number(word, id)) {
      throw InputError(concat("found ", shown(word), ", expected ids from 0 to ", subwords.size() - 1,
                              "; pieces are read with --input-type piece"));
    }
    ids.push_back(id);
  }
  return subwords.decode(ids);
}

void add_options(Options& options, DecodeSettings& settings) {
  options.usage("-t FILE [OPTION...] [FILE...] > TEXT", "join subword pieces or ids into text");
  options.add("Decoding", fields_of(settings));
  options.add("Files and threads", line_filter_fields(settings.lines, options));
  options.epilogue(
      "Writes one line for each input line. Pieces that the vocabulary lacks are kept\n"
      "as text; an id that it lacks is an error that names the line.");
  options.common({&settings.tokenizer, &settings.input_type, &settings.lines.input.input,
                  &settings.lines.output, &settings.lines.threads});
  options.example("Join pieces into text", "gloss decode -t bpe.model < text.pieces > text.en");
  options.example("Join ids", "gloss decode -t bpe.model --input-type id < text.ids");
}

int decode(const Options& options, DecodeSettings& settings, Run& run) {
  if (settings.tokenizer.empty())
    throw UsageError("--tokenizer FILE (-t) is required: a vocabulary made by gloss vocab or SentencePiece");
  const Subwords subwords = Subwords::load(settings.tokenizer);
  run.join(settings.lines.output, settings.lines.input.shard);
  Terminal terminal("decode", options.quiet(), run.first());
  const auto decode_one = [&](const std::string& line, std::int64_t) {
    FilteredLine decoded;
    if (settings.input_type == InputType::id) {
      decoded.text = decode_ids(subwords, line);
      return decoded;
    }
    const CleanText clean = clean_text(line, Normalization::none);
    decoded.replaced = clean.replaced;
    decoded.text = subwords.decode_pieces(words_of(clean.text));
    return decoded;
  };
  filter_lines(settings.lines, options, decode_one, run, terminal);
  return 0;
}

}  // namespace

Work declare_decode(Options& options) { return run_of<DecodeSettings>(options, add_options, decode); }

}  // namespace gloss
