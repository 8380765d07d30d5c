#include "base/error.h"
#include "cli/cleaning.h"
#include "cli/commands.h"
#include "cli/line_filter.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

enum class InputType { piece, id };

struct DecodeSettings {
  std::string tokenizer;
  InputType input_type = InputType::piece;
};

Fields fields_of(DecodeSettings& settings) {
  return {
      {"tokenizer", &settings.tokenizer, "subword model made by 'gloss vocab' or SentencePiece", {}, 't'},
      {"input_type", choice(settings.input_type, {"piece", "id"}), "what to read"},
  };
}

/// The words of a line, whatever number of spaces stands between them.
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
      throw InputError(concat("found '", word, "', expected ids from 0 to ", subwords.size() - 1,
                              "; pieces are read with --input-type piece"));
    }
    ids.push_back(id);
  }
  return subwords.decode(ids);
}

}  // namespace

int run_decode(std::span<const std::string> arguments) {
  DecodeSettings settings;
  LineFilterSettings lines;
  Options options("decode", "-t V.model [OPTION...] < PIECES > TEXT", "join subword pieces or ids into text");
  options.add("Decoding", fields_of(settings));
  options.add("Files and threads", line_filter_fields(lines));
  options.epilogue(
      "One line out for each line in. Pieces that the model does not know are kept as\n"
      "text; an id that it does not have is an error that names the line.");
  if (!options.parse(arguments)) return 0;
  if (settings.tokenizer.empty()) throw UsageError("a subword model is needed: --tokenizer V.model");
  const Subwords subwords = Subwords::load(settings.tokenizer);
  Terminal terminal("decode", options.quiet());
  Cleaning clean(Normalization::none);
  filter_lines(lines, [&](const std::string& line, std::int64_t number) {
    if (settings.input_type == InputType::id) return decode_ids(subwords, line);
    return subwords.decode_pieces(words_of(clean(line, number)));
  });
  clean.report(terminal);
  return 0;
}

}  // namespace gloss
