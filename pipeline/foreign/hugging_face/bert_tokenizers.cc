// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/bert_tokenizers.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"

namespace gloss {
namespace {

/// The tokenizer of a directory, by its files.
struct Found {
  enum class Kind { word_pieces, fairseq_pieces, sentence_pieces, byte_pairs };
  const char* file;  ///< with the vocabulary
  Kind kind;
};

Found tokenizer_in(const HuggingFaceFiles& files) {
  using Kind = Found::Kind;
  constexpr std::array<Found, 3> kOthers{{{"vocab.txt", Kind::word_pieces},
                                          {"sentencepiece.bpe.model", Kind::fairseq_pieces},
                                          {"spiece.model", Kind::sentence_pieces}}};
  for (const Found& tokenizer : kOthers) {
    const bool words = tokenizer.kind == Kind::word_pieces;
    const auto whole = words ? TokenizerJson::Kind::word_pieces : TokenizerJson::Kind::sentence_pieces;
    if (files.has_tokenizer(whole, tokenizer.file)) return tokenizer;
  }
  return {"vocab.json", Kind::byte_pairs};
}

/// Takes the vocabulary of a directory.
void take_vocabulary(const Found& tokenizer, VocabularyOfDirectory& pieces) {
  switch (tokenizer.kind) {
    case Found::Kind::word_pieces:
      return pieces.take_lines(tokenizer.file);
    case Found::Kind::fairseq_pieces:
      pieces.take_fairseq_pieces(tokenizer.file);
      if (pieces.specials().added.empty()) pieces.append({pieces.specials().name("mask_token", "")});
      return;
    case Found::Kind::sentence_pieces:
      return pieces.take_pieces(tokenizer.file);
    case Found::Kind::byte_pairs:
      return pieces.take_json(tokenizer.file);
  }
}

std::shared_ptr<const Subwords> read_subwords(const HuggingFaceFiles& files, const Found& tokenizer,
                                              const ForeignVocabulary& vocabulary, bool lower_case) {
  const std::string path = files.tokenizer ? files.tokenizer->path : files.file(tokenizer.file);
  switch (tokenizer.kind) {
    case Found::Kind::word_pieces:
      return std::make_shared<const Subwords>(
          Subwords::from_bytes(word_piece_file(vocabulary, lower_case, path), path));
    case Found::Kind::byte_pairs:
      return byte_pair_tokenizer(files, vocabulary);
    default:
      return sentence_piece_tokenizer(files, vocabulary, tokenizer.file);
  }
}

SpecialTokens special_tokens(const HuggingFaceFiles& files, bool word_pieces) {
  SpecialTokens tokens = read_special_tokens(files);
  tokens.set_default("unk_token", word_pieces ? "[UNK]" : "<unk>");
  tokens.set_default("cls_token", word_pieces ? "[CLS]" : "<s>");
  tokens.set_default("sep_token", word_pieces ? "[SEP]" : "</s>");
  tokens.set_default("pad_token", word_pieces ? "[PAD]" : "<pad>");
  tokens.set_default("mask_token", word_pieces ? "[MASK]" : "<mask>", !word_pieces);
  return tokens;
}

/// The number of tokens that lower-cased text does not have, besides those such as [CLS].
std::ptrdiff_t tokens_with_capitals(const std::vector<std::string>& pieces) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  return std::ranges::count_if(pieces, [&](const std::string& piece) {
    return !piece.starts_with('[') && std::ranges::any_of(piece, is_capital);
  });
}

/// Notes on a vocabulary of WordPiece, which `unused` pieces fill up.
std::vector<std::string> notes_on(const VocabularyOfDirectory& vocabulary, int unused) {
  std::vector<std::string> notes;
  const int size = static_cast<int>(vocabulary.pieces().size());
  if (unused > 0) {
    // The number of a line is the id of its token.
    notes.push_back(concat(vocabulary.path(), " has ", size - unused,
                           " tokens, but 'vocab_size' in config.json is ", size,
                           "; if lines are missing, the tokens after them have wrong ids"));
  }
  constexpr int kFew = 100;  // of lower-cased vocabularies: one in a hundred
  const std::ptrdiff_t capitals = tokens_with_capitals(vocabulary.pieces());
  if (vocabulary.specials().lower_case && capitals > size / kFew) {
    notes.push_back(
        concat("text is lower-cased, as tokenizer_config.json with 'do_lower_case' false is missing, but ",
               capitals, " tokens of ", vocabulary.path(), " have capital letters"));
  }
  return notes;
}

}  // namespace

EncoderTokenizer read_encoder_tokenizer(const HuggingFaceFiles& files) {
  const Found found = tokenizer_in(files);
  const SpecialTokens specials = special_tokens(files, found.kind == Found::Kind::word_pieces);
  const std::string mask = specials.name("mask_token", "");
  VocabularyOfDirectory pieces(files, specials);
  take_vocabulary(found, pieces);
  const int unused = pieces.complete(files.config.required_integer("vocab_size"));
  const int begin = pieces.id(specials.name("cls_token", "")),
            end = pieces.id(specials.name("sep_token", ""));
  const ForeignVocabulary vocabulary = pieces.vocabulary(begin, end, specials.name("unk_token", ""));
  EncoderTokenizer tokenizer{read_subwords(files, found, vocabulary, specials.lower_case), mask,
                             pieces.has(mask) ? pieces.id(mask) : -1, pieces.path()};
  if (pieces.path() == files.file("vocab.txt")) tokenizer.notes = notes_on(pieces, unused);
  return tokenizer;
}

}  // namespace gloss
