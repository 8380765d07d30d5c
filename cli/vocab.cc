#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/lines.h"
#include "cli/cleaning.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "tokenizer/extend_vocabulary.h"
#include "tokenizer/subword.h"

namespace gloss {
namespace {

struct VocabSettings {
  std::vector<std::string> input = {"-"};
  std::string output, extend;
  std::vector<std::string> add_symbols;
  Normalization normalization = Normalization::nfc;
};

Fields fields_of(VocabSettings& settings) {
  return {
      {"input", &settings.input, "text files, .gz and .zst too; - is standard input", {}, 'i'},
      {"output", &settings.output, "model file to write, such as V.model", {}, 'o'},
      normalization_field(settings.normalization),
      {"extend", &settings.extend, "do not learn: add symbols to this model"},
      {"add_symbols", &settings.add_symbols, "what --extend adds, with new ids behind the old ones"},
  };
}

/// The lines of several files as one text. All files are opened first, so that a missing one is noticed at
/// once.
class Texts {
 public:
  explicit Texts(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) readers_.push_back(std::make_unique<LineReader>(path));
  }

  bool next(std::string& line) {
    while (at_ < readers_.size() && !readers_[at_]->next(line)) readers_[at_++].reset();
    if (at_ == readers_.size()) return false;
    ++line_number_;
    return true;
  }

  std::int64_t line_number() const { return line_number_; }

 private:
  std::vector<std::unique_ptr<LineReader>> readers_;
  std::size_t at_ = 0;
  std::int64_t line_number_ = 0;
};

/// Options of learning are mistakes here, not to be passed over.
void check_extension(const VocabSettings& settings, const Fields& of_learning, const Options& options) {
  if (settings.extend.empty() != settings.add_symbols.empty()) {
    throw UsageError("expected --extend MODEL and --add-symbols SYMBOL... together");
  }
  if (settings.extend.empty()) return;
  for (const Field& field : of_learning) {
    if (!options.given(field.name)) continue;
    throw UsageError(concat("--", option_name(field.name), " is for learning; --extend only adds symbols"));
  }
}

Subwords extend(const VocabSettings& settings, Terminal& terminal) {
  const Subwords old = Subwords::load(settings.extend);
  ExtendedVocabulary extended = extend_vocabulary(old, settings.add_symbols);
  for (std::size_t i = 0; i < extended.old_pieces.size(); ++i) {
    std::vector<std::string> pieces;
    for (const int id : extended.old_pieces[i]) pieces.push_back(old.piece(id));
    terminal.note(concat("'", settings.add_symbols[i], "' has the id ",
                         static_cast<std::size_t>(old.size()) + i, ", and was ", join(pieces, " ")));
  }
  return std::move(extended.subwords);
}

Subwords learn(const VocabSettings& settings, const SubwordSettings& subword_settings, Terminal& terminal) {
  Texts texts(settings.input);
  Cleaning clean(settings.normalization);
  Subwords subwords = learn_subwords(
      [&](std::string& line) {
        if (!texts.next(line)) return false;
        line = clean(line, texts.line_number());
        return true;
      },
      subword_settings, 1, terminal);
  clean.report(terminal);
  return subwords;
}

}  // namespace

int run_vocab(std::span<const std::string> arguments) {
  VocabSettings settings;
  SubwordSettings subword_settings;
  Options options("vocab", "--input FILE... --output V.model [OPTION...]",
                  "learn a vocabulary (in SentencePiece's format)");
  options.add("Files", fields_of(settings));
  options.add("Vocabulary", fields_of(subword_settings));
  options.epilogue(
      "Ids: 0 is <unk>, 1 <s>, 2 </s>, then the user symbols, then (with byte-bpe or\n"
      "--byte-fallback) the bytes, then pieces from the most frequent on. Every file\n"
      "is one that SentencePiece reads. The same text and settings give the same file.\n"
      "char and byte-bpe keep all spaces; bpe and unigram make one of several and drop\n"
      "those at both ends. With --extend nothing is learned, and old ids stay.");
  if (!options.parse(arguments)) return 0;
  if (settings.output.empty() || settings.output == "-") {
    throw UsageError("a file for the model is needed: --output V.model");
  }
  if (std::filesystem::is_directory(settings.output)) {
    throw Error(concat("cannot write ", settings.output, ": it is a folder; name a file in it"));
  }
  Fields of_learning = fields_of(subword_settings);
  of_learning.insert(of_learning.end(),
                     {{"input", &settings.input, ""}, normalization_field(settings.normalization)});
  check_extension(settings, of_learning, options);
  Terminal terminal("vocab", options.quiet());
  AtomicFile file(settings.output);
  const Subwords subwords =
      settings.extend.empty() ? learn(settings, subword_settings, terminal) : extend(settings, terminal);
  file.write(subwords.bytes());
  file.commit();
  terminal.note(concat("wrote ", subwords.size(), " pieces to ", settings.output));
  return 0;
}

}  // namespace gloss
