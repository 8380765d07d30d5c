// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/paths.h"
#include "base/shown.h"
#include "cli/options/options.h"
#include "cli/process/terminal.h"
#include "cli/table/commands.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/stream_report.h"
#include "tokenizer/extend_vocabulary.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

struct VocabSettings {
  std::vector<std::string> input = {"-"};
  std::string output, extend;
  std::vector<std::string> add_symbols;
  Normalization normalization = Normalization::nfc;
  std::int64_t max_line_bytes = kLongestLine;
  SubwordSettings subwords;
};

Field normalization_field(Normalization& normalization) {
  return {"normalization", normalization_choice(normalization), "Unicode normalisation of the text"};
}

Fields fields_of(VocabSettings& settings) {
  return {
      {"input",
       &settings.input,
       "text files, plain or compressed (gzip, Zstandard, xz, bzip2); '-' is standard input",
       {},
       'i',
       "FILE"},
      {"output",
       &settings.output,
       "vocabulary file to write, in SentencePiece's format",
       {},
       'o',
       "FILE",
       kWritten},
      normalization_field(settings.normalization),
      line_limit_field(settings.max_line_bytes, "cut"),
      {"extend",
       &settings.extend,
       "add --add-symbols to this vocabulary instead of learning one",
       {},
       0,
       "FILE"},
      {"add_symbols",
       &settings.add_symbols,
       "symbols that --extend adds, with ids after the old ones",
       {},
       0,
       "SYMBOL"},
  };
}

/// Throws UsageError for options of learning.
void check_extension(const VocabSettings& settings, const Fields& of_learning, const Options& options) {
  if (settings.extend.empty() != settings.add_symbols.empty()) {
    throw UsageError("expected --extend MODEL and --add-symbols SYMBOL... together");
  }
  if (settings.extend.empty()) return;
  const Given given = options.given();
  for (const Field& field : of_learning) {
    if (!given(address_of(field))) continue;
    throw UsageError(concat("--", option_name(field.name), " is for learning; --extend only adds symbols"));
  }
}

Subwords extend(const VocabSettings& settings, Terminal& terminal) {
  const Subwords old = Subwords::load(settings.extend);
  ExtendedVocabulary extended = extend_vocabulary(old, settings.add_symbols);
  for (std::size_t i = 0; i < extended.old_pieces.size(); ++i) {
    std::vector<std::string> pieces;
    for (const int id : extended.old_pieces[i]) pieces.push_back(old.piece(id));
    terminal.note(concat(shown(settings.add_symbols[i]), " has the id ", index(old.size()) + i, ", and was ",
                         join(pieces, " ")));
  }
  return std::move(extended.subwords);
}

Subwords learn(const VocabSettings& settings, const SubwordSettings& subword_settings, Terminal& terminal) {
  TextFiles texts(settings.input, settings.max_line_bytes);
  StreamReport report(texts, terminal);
  Subwords subwords = learn_subwords(
      [&](std::string& line) {
        if (!texts.next(line)) return false;
        CleanText clean = clean_text(line, settings.normalization);
        report.add({.replaced = clean.replaced});
        line = std::move(clean.text);
        return true;
      },
      subword_settings, 1, terminal);
  report.finish();
  return subwords;
}

void add_options(Options& options, VocabSettings& settings) {
  options.usage("--input FILE... --output FILE [OPTION...]", "learn a subword vocabulary from text");
  options.add("Files", fields_of(settings));
  options.add("Vocabulary", fields_of(settings.subwords));
  options.epilogue(
      "Ids: 0 is <unk>, 1 <s>, 2 </s> (with --no-begin-piece 0 </s>, 1 <unk>), then user\n"
      "symbols, then (with byte-bpe or --byte-fallback) bytes, then pieces by decreasing frequency. "
      "SentencePiece can\n"
      "read every file. The same text and settings give the same file. char and\n"
      "byte-bpe keep all spaces; bpe and unigram merge several into one and drop those\n"
      "at both ends. With --extend nothing is learned, and old ids are kept.");
  options.common({&settings.input, &settings.output, &settings.normalization, &settings.subwords.type,
                  &settings.subwords.size, &settings.subwords.character_coverage,
                  &settings.subwords.user_symbols});
  options.example("Learn 8000 BPE pieces for two languages",
                  "gloss vocab --input train.en train.de --size 8000 --output bpe.model");
  options.example("Learn a unigram vocabulary from standard input",
                  "zcat train.gz | gloss vocab --type unigram --output unigram.model");
}

int run_vocab(const Options& options, VocabSettings& settings) {
  if (settings.output.empty() || settings.output == "-") {
    throw UsageError("--output FILE is required: the vocabulary file to write");
  }
  if (is_folder(settings.output)) {
    throw Error(concat("cannot write ", settings.output, ": it is a directory; name a file in it"));
  }
  Fields of_learning = fields_of(settings.subwords);
  of_learning.insert(of_learning.end(),
                     {{"input", &settings.input, ""}, normalization_field(settings.normalization)});
  check_extension(settings, of_learning, options);
  Terminal terminal("vocab", options.quiet());
  AtomicFile file(settings.output);
  const Subwords subwords =
      settings.extend.empty() ? learn(settings, settings.subwords, terminal) : extend(settings, terminal);
  file.write(subwords.bytes());
  file.commit();
  terminal.note(concat("wrote ", subwords.size(), " pieces to ", settings.output));
  return 0;
}

}  // namespace

Work declare_vocab(Options& options) { return work_on<VocabSettings>(options, add_options, run_vocab); }

}  // namespace gloss
