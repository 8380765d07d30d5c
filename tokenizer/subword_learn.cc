// SPDX-License-Identifier: Apache-2.0
// Only this file and sentence_pieces.cc use SentencePiece.
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <unordered_map>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/character_counts.h"
#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/learn_byte_pairs.h"
#include "tokenizer/learn_words.h"
#include "tokenizer/model_writer.h"
#include "tokenizer/quiet.h"
#include "tokenizer/subword.h"
#include "tokenizer/symbols.h"
#include "tokenizer/training_text.h"

namespace gloss {
namespace {

/// Passes the sentences to SentencePiece and frees the memory of each afterwards.
class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::vector<std::string>& sentences) : sentences_(sentences) {}
  bool done() const override { return place_ >= sentences_.size(); }
  void Next() override { std::string().swap(sentences_[place_++]); }
  const std::string& value() const override { return sentences_[place_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string>& sentences_;
  std::size_t place_ = 0;
};

/// The symbols as a line of comma-separated values, SentencePiece's format of lists.
std::string comma_separated(const std::vector<std::string>& symbols) {
  std::string list;
  for (const std::string& symbol : symbols) {
    if (!list.empty()) list += ',';
    list += '"';
    for (const char byte : symbol) list += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    list += '"';
  }
  return list;
}

void report(const TrainingTextCounts& counts, std::int64_t sampled, Listener& listener) {
  listener.note(concat("read ", counted(counts.lines, "line"), ", ", counts.blank, " of them blank"));
  if (sampled < counts.parts) {
    listener.note(concat("learning from a random sample of ", sampled, " of ", counts.parts, " lines"));
  }
  if (counts.reserved > 0) {
    listener.note(concat("replaced ", counts.reserved, " tabs, NUL and U+2585 characters by spaces"));
  }
  if (counts.cut > 0) listener.note(concat("split overlong words in ", counts.cut, " places"));
}

InputError nothing_to_learn(std::int64_t lines) {
  return InputError(
      concat("nothing to learn a vocabulary from: all ", lines, " lines of the text are empty or blank"));
}

/// Converts SentencePiece's error message; if the vocabulary is too small for the characters of the text, it
/// contains both sizes: "... 9 vs 31. ...".
InputError failure(const std::string& message, int size) {
  const std::size_t at = message.find(" vs ");
  if (message.find("smaller than required_chars") == std::string::npos || at == std::string::npos) {
    return InputError(concat("SentencePiece could not learn a vocabulary: ", message));
  }
  const std::size_t digits = message.find_first_not_of("0123456789", at + 4);
  const std::string fewest = message.substr(at + 4, digits - at - 4);
  return InputError(concat("a vocabulary of ", size, " pieces is too small: the characters of the text need ",
                           fewest, "; ask for at least ", fewest,
                           ", or learn one with 'gloss vocab --character-coverage 0.9995', which leaves out "
                           "rare characters"));
}

/// Learns a BPE or unigram model with SentencePiece.
std::string train(std::vector<std::string>& sentences, const SubwordSettings& settings) {
  std::unordered_map<std::string, std::string> specification{
      {"model_type", settings.type == VocabularyType::unigram ? "unigram" : "bpe"},
      {"vocab_size", std::to_string(settings.size)},
      {"character_coverage", number_text(settings.character_coverage)},
      {"byte_fallback", settings.byte_fallback ? "true" : "false"},
      // The text is normalised already, by the same code in training and inference.
      {"normalization_rule_name", "identity"},
      {"unk_id", settings.begin_piece ? "0" : "1"},
      {"bos_id", settings.begin_piece ? "1" : "-1"},
      {"eos_id", settings.begin_piece ? "2" : "0"},
      {"pad_id", "-1"},
      // The caller checks the number of pieces, so that its error can state how many are possible.
      {"hard_vocab_limit", "false"},
      {"max_sentence_length", "1048576"},
      // Stored in the model. BPE uses one thread anyway; unigram models would depend on the number of
      // threads.
      {"num_threads", "1"},
  };
  if (!settings.user_symbols.empty()) {
    specification["user_defined_symbols"] = comma_separated(settings.user_symbols);
  }
  Sentences iterator(sentences);
  std::string bytes;
  const sentencepiece::util::Status status =
      sentencepiece::SentencePieceTrainer::Train(specification, &iterator, &bytes);
  if (!status.ok()) throw failure(status.ToString(), settings.size);
  return bytes;
}

std::string train_bytes(const std::vector<std::string>& sentences, const SubwordSettings& settings,
                        Listener& listener) {
  std::vector<std::string> symbols;
  for (const std::string& symbol : settings.user_symbols) symbols.push_back(byte_characters(symbol));
  std::vector<Piece> pieces = first_pieces(settings.begin_piece, symbols);
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string& character = byte_character(static_cast<unsigned char>(byte));
    if (std::ranges::find(symbols, character) == symbols.end()) pieces.push_back({character});
  }
  const std::size_t merges = index(settings.size) - pieces.size();
  float score = 0;
  for (const std::string& text : learn_byte_pairs(sentences, merges, settings.user_symbols, listener)) {
    pieces.push_back({byte_characters(text), score--});
  }
  return write_model_file(pieces, Segmentation::bpe, Preparation::byte_level);
}

/// Makes a list of words and punctuation marks, split as by BERT's tokenizer.
std::string train_words(const std::vector<std::string>& sentences, const SubwordSettings& settings) {
  ForeignVocabulary vocabulary;
  for (const Piece& piece : first_pieces(settings.begin_piece, {})) vocabulary.pieces.push_back(piece.text);
  const auto id_of = [&](std::string_view piece) {
    const auto found = std::ranges::find(vocabulary.pieces, piece);
    return found == vocabulary.pieces.end() ? -1 : static_cast<int>(found - vocabulary.pieces.begin());
  };
  vocabulary.unknown = id_of("<unk>");
  vocabulary.begin = id_of("<s>");
  vocabulary.end = id_of("</s>");
  const std::size_t room = index(settings.size) - vocabulary.pieces.size();
  for (std::string& word : most_frequent_words(sentences, room)) vocabulary.pieces.push_back(std::move(word));
  return word_piece_file(vocabulary, true, "the learned vocabulary");
}

/// Learns a character model from all lines.
std::string train_characters(const std::function<bool(std::string&)>& next_line,
                             const SubwordSettings& settings, Listener& listener) {
  CharacterCounts counts(settings.user_symbols);
  std::int64_t lines = 0, blank = 0;
  for (std::string line; next_line(line);) {
    counts.add(line);
    if (line.find_first_not_of(' ') == std::string::npos) ++blank;
    if (++lines % 10'000 == 0) listener.progress({lines, 0, "lines", ""});
  }
  report({lines, blank}, 0, listener);
  if (blank == lines || counts.empty()) throw nothing_to_learn(lines);
  std::vector<Piece> pieces = first_pieces(settings.begin_piece, settings.user_symbols);
  if (settings.byte_fallback) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      pieces.push_back({byte_piece(static_cast<unsigned char>(byte)), 0, PieceType::byte});
    }
  }
  std::vector<std::string> characters = counts.most_frequent(settings.character_coverage);
  std::erase_if(characters, [&](const std::string& character) {
    return std::ranges::find(settings.user_symbols, character) != settings.user_symbols.end();
  });
  const std::size_t room = index(settings.size) - pieces.size() - 1;
  if (characters.size() > room) {
    listener.warn(concat("the ", characters.size() - room, " rarest of ", characters.size(),
                         " characters get no piece in a vocabulary of ", settings.size));
    characters.resize(room);
  }
  // The space always has a piece, even if it is rare: otherwise it would decode to U+2581.
  pieces.push_back({std::string(kPieceSpace)});
  float score = -1;
  for (const std::string& character : characters) pieces.push_back({character, score--});
  return write_model_file(pieces, Segmentation::characters, Preparation::none);
}

}  // namespace

void silence_sentencepiece() {
  // Only the trainer has a setting for the log level; without input, it trains nothing.
  static const bool silent = [] {
    const std::unordered_map<std::string, std::string> only_level{{"minloglevel", "3"}};
    sentencepiece::SentencePieceTrainer::Train(only_level).IgnoreError();
    return true;
  }();
  (void)silent;
}

Fields fields_of(SubwordSettings& settings) {
  return {
      {"type", vocabulary_type_choice(settings.type),
       "kind of vocabulary: bpe (merges of frequent pairs), unigram (most probable pieces), char (single "
       "characters), byte-bpe (merges of pairs of bytes within words; no text is unknown), word (whole words "
       "in lower case and punctuation marks)"},
      {"size",
       &settings.size,
       "number of pieces in the vocabulary, including special ones; the maximum for char and word",
       {4, 1'000'000}},
      {"character_coverage",
       &settings.character_coverage,
       "fraction of the text's characters that must have a piece",
       {0.98, 1}},
      {"byte_fallback", &settings.byte_fallback, "encode characters without a piece as bytes, not as <unk>"},
      {"begin_piece", &settings.begin_piece,
       "have a piece <s>, with which translations begin; without it they begin with a zero vector, and the "
       "ids are 0 </s>, 1 <unk>, as in Marian"},
      {"user_symbol", &settings.user_symbols, "symbols that are never split", {}, 0, "SYMBOL"},
      {"sample_lines",
       &settings.sample_lines,
       "learn from at most N lines, sampled at random",
       {1, 100'000'000}},
      {"seed", &settings.seed, "random seed for sampling lines", {0}},
  };
}

Choice vocabulary_type_choice(VocabularyType& type) {
  return choice(type, {"bpe", "unigram", "char", "byte-bpe", "word"});
}

void check(const SubwordSettings& settings) {
  check_symbols(settings.user_symbols);
  const bool of_bytes = settings.type == VocabularyType::byte_bpe;
  if (of_bytes && (settings.byte_fallback || settings.character_coverage < 1)) {
    throw UsageError(concat("a byte-bpe vocabulary has a piece for every byte; leave out the ",
                            settings.byte_fallback ? "byte fallback" : "character coverage"));
  }
  const bool of_words = settings.type == VocabularyType::word;
  if (of_words &&
      (settings.byte_fallback || settings.character_coverage < 1 || !settings.user_symbols.empty())) {
    throw UsageError(concat("a word vocabulary has words only; leave out the ",
                            settings.byte_fallback           ? "byte fallback"
                            : !settings.user_symbols.empty() ? "user symbols"
                                                             : "character coverage"));
  }
  if (of_words) return;
  if (!of_bytes && settings.type != VocabularyType::character) return;  // SentencePiece checks the others
  const auto symbols = static_cast<int>(settings.user_symbols.size());
  const bool with_bytes = of_bytes || settings.byte_fallback;
  const int special = settings.begin_piece ? 3 : 2;
  const int fewest = special + symbols + (with_bytes ? 256 : 0) + (of_bytes ? 0 : 2);
  if (settings.size < fewest) {
    throw UsageError(concat(settings.size, " pieces are too few for ", special, " special pieces, ", symbols,
                            " user symbols", with_bytes ? ", 256 bytes" : "",
                            of_bytes ? "" : ", the space and the characters", "; ask for at least ", fewest));
  }
}

Subwords learn_subwords(const std::function<bool(std::string&)>& next_line, const SubwordSettings& settings,
                        int threads, Listener& listener) {
  expects(threads > 0, "learn_subwords with ", threads, " threads");
  silence_sentencepiece();
  check(settings);
  if (settings.type == VocabularyType::character) {
    return Subwords::from_bytes(train_characters(next_line, settings, listener), "the learned vocabulary");
  }
  TrainingText text(settings.sample_lines, static_cast<std::uint64_t>(settings.seed));
  for (std::string line; next_line(line);) {
    text.add(line);
    if (text.counts().lines % 10'000 == 0) listener.progress({text.counts().lines, 0, "lines", ""});
  }
  report(text.counts(), static_cast<std::int64_t>(text.sentences().size()), listener);
  if (text.sentences().empty()) throw nothing_to_learn(text.counts().lines);
  if (settings.type == VocabularyType::word) {
    if (most_frequent_words(text.sentences(), 1).empty()) throw nothing_to_learn(text.counts().lines);
    return Subwords::from_bytes(train_words(text.sentences(), settings), "the learned vocabulary");
  }
  std::string bytes = settings.type == VocabularyType::byte_bpe
                          ? train_bytes(text.sentences(), settings, listener)
                          : train(text.sentences(), settings);
  Subwords subwords = Subwords::from_bytes(std::move(bytes), "the learned vocabulary");
  if (subwords.size() < settings.size && !settings.at_most) {
    throw InputError(concat("the text is too small for ", settings.size, " pieces; ask for at most ",
                            subwords.size(), " or give more text"));
  }
  return subwords;
}

}  // namespace gloss
