// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/foreign_vocabulary.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/model_file.h"
#include "tokenizer/model_writer.h"

namespace gloss {
namespace {

constexpr std::string_view kWithin = "##";

/// Ids of pieces by their texts.
using Ids = std::unordered_map<std::string_view, int>;

Ids ids_of(const ForeignVocabulary& vocabulary, const std::string& where) {
  Ids ids;
  for (std::size_t id = 0; id < vocabulary.pieces.size(); ++id) {
    const auto [known, added] = ids.emplace(vocabulary.pieces[id], static_cast<int>(id));
    if (!added) {
      throw InputError(concat(where, ": the piece ", shown(vocabulary.pieces[id]), " has the ids ",
                              known->second, " and ", id));
    }
  }
  const int last = static_cast<int>(ids.size()) - 1;
  const auto expect_id = [&](int id, int least, std::string_view name) {
    if (id < least || id > last) {
      throw InputError(
          concat(where, ": the id of the ", name, " piece is ", id, "; expected ", least, " to ", last));
    }
  };
  expect_id(vocabulary.unknown, 0, "unknown");
  expect_id(vocabulary.begin, -1, "begin");
  expect_id(vocabulary.end, -1, "end");
  for (const ForeignRules::Special& special : vocabulary.specials) expect_id(special.id, 0, "special");
  for (const int id : vocabulary.never_generated) expect_id(id, 0, "never generated");
  return ids;
}

ForeignRules rules_of(const ForeignVocabulary& vocabulary, ForeignRules::Kind kind) {
  ForeignRules rules;
  rules.kind = kind;
  rules.size = static_cast<int>(vocabulary.pieces.size());
  rules.begin = vocabulary.begin;
  rules.end = vocabulary.end;
  rules.specials = vocabulary.specials;
  rules.never_generated = vocabulary.never_generated;
  rules.never_probable = vocabulary.never_probable;
  rules.attaches_punctuation = vocabulary.attaches_punctuation;
  rules.continues_specials = vocabulary.continues_specials;
  return rules;
}

/// The type of each piece: unknown, control if it is special, else normal.
std::vector<PieceType> types_of(const ForeignVocabulary& vocabulary) {
  std::vector<PieceType> types(vocabulary.pieces.size(), PieceType::normal);
  for (const ForeignRules::Special& special : vocabulary.specials)
    types[index(special.id)] = PieceType::control;
  for (const int id : {vocabulary.begin, vocabulary.end}) {
    if (id >= 0) types[index(id)] = PieceType::control;
  }
  types[index(vocabulary.unknown)] = PieceType::unknown;
  return types;
}

/// The pieces of a list, spelled by `spell`.
template <class Spell>
std::vector<Piece> listed_pieces(const ForeignVocabulary& vocabulary, const Spell& spell) {
  const std::vector<PieceType> types = types_of(vocabulary);
  std::vector<Piece> pieces;
  for (std::size_t id = 0; id < types.size(); ++id) {
    const std::string& text = vocabulary.pieces[id];
    pieces.push_back({types[id] == PieceType::normal ? spell(text) : text, 0, types[id]});
  }
  return pieces;
}

// U+0120, the space in GPT-2's byte characters.
constexpr std::string_view kForeignSpace = "\xC4\xA0";

/// A piece in GPT-2's byte characters, where U+0120 is the space, in those of gloss.
std::string with_own_spaces(std::string_view piece) {
  std::string own;
  for (; !piece.empty(); piece.remove_prefix(character_size(piece))) {
    const std::string_view character = piece.substr(0, character_size(piece));
    own += character == kForeignSpace ? kPieceSpace : character;
  }
  return own;
}

/// The inverse, of a whole piece.
std::string with_foreign_spaces(const std::string& piece) {
  std::string foreign;
  for (std::size_t at = 0; at < piece.size();) {
    const bool space = std::string_view(piece).substr(at).starts_with(kPieceSpace);
    foreign += space ? kForeignSpace : std::string_view(piece).substr(at, 1);
    at += space ? kPieceSpace.size() : 1;
  }
  return foreign;
}

std::string foreign_spelling(const std::string& piece, ForeignRules::Kind kind) {
  const bool starts_word = piece.starts_with(kPieceSpace);
  switch (kind) {
    case ForeignRules::Kind::sentence_pieces:
      return piece;
    case ForeignRules::Kind::ranked_pairs:
      return with_foreign_spaces(piece);
    case ForeignRules::Kind::words:
      return starts_word ? piece.substr(kPieceSpace.size()) : piece;
    case ForeignRules::Kind::word_pieces:
      return starts_word ? piece.substr(kPieceSpace.size()) : concat(kWithin, piece);
  }
  throw BrokenPromise("a kind of tokenizer without a spelling");
}

}  // namespace

std::string word_piece_file(const ForeignVocabulary& vocabulary, bool lower_case, const std::string& where) {
  ids_of(vocabulary, where);
  ForeignRules rules = rules_of(vocabulary, ForeignRules::Kind::word_pieces);
  rules.lower_case = lower_case;
  return write_model_file(
      listed_pieces(vocabulary,
                    [&](const std::string& piece) {
                      const bool within = piece.starts_with(kWithin) && piece.size() > kWithin.size();
                      return within ? piece.substr(kWithin.size()) : concat(kPieceSpace, piece);
                    }),
      rules);
}

std::string ranked_pairs_file(const ForeignVocabulary& vocabulary,
                              const std::vector<std::pair<std::string, std::string>>& merges,
                              const std::string& where) {
  const Ids ids = ids_of(vocabulary, where);
  const auto id_of = [&](const std::string& piece) {
    const auto found = ids.find(piece);
    if (found == ids.end())
      throw InputError(concat(where, ": a merge has ", shown(piece), ", which is not a piece"));
    return found->second;
  };
  ForeignRules rules = rules_of(vocabulary, ForeignRules::Kind::ranked_pairs);
  for (const auto& [left, right] : merges) {
    id_of(left + right);
    rules.merges.emplace_back(id_of(left), id_of(right));
  }
  return write_model_file(listed_pieces(vocabulary, with_own_spaces), rules);
}

std::string words_file(const ForeignVocabulary& vocabulary, const std::string& where) {
  ids_of(vocabulary, where);
  return write_model_file(
      listed_pieces(vocabulary, [](const std::string& word) { return concat(kPieceSpace, word); }),
      rules_of(vocabulary, ForeignRules::Kind::words));
}

std::string renumbered_file(const ForeignVocabulary& vocabulary, std::string_view sentence_piece_model,
                            const std::string& where) {
  const Ids ids = ids_of(vocabulary, where);
  const ModelFile model = read_model_file(sentence_piece_model, where);
  // Merging considers unused pieces too, which would change how text is split. It finds a character of its
  // own whatever its type.
  const auto never_found = [&](const std::string& piece) {
    const bool character = character_size(piece) == piece.size();
    return model.segmentation == Segmentation::unigram || character ? PieceType::unused : PieceType::control;
  };
  const std::vector<PieceType> types = types_of(vocabulary);
  std::vector<Piece> pieces;
  for (std::size_t id = 0; id < types.size(); ++id) {
    const std::string& piece = vocabulary.pieces[id];
    pieces.push_back({piece, 0, types[id] == PieceType::normal ? never_found(piece) : types[id]});
  }
  for (const Piece& piece : model.pieces) {
    if (piece.type == PieceType::unknown || piece.type == PieceType::control) continue;
    const auto found = ids.find(piece.text);
    if (found == ids.end()) {
      pieces.push_back(piece);
    } else if (types[index(found->second)] == PieceType::normal) {
      pieces[index(found->second)] = piece;
    }
  }
  return with_pieces(sentence_piece_model, pieces, rules_of(vocabulary, ForeignRules::Kind::sentence_pieces));
}

std::vector<std::string> foreign_spellings(std::string_view tokenizer_file, const std::string& where) {
  const ModelFile file = read_model_file(tokenizer_file, where);
  const ForeignRules rules = file.foreign.value_or(ForeignRules{});
  const std::size_t count = file.foreign ? index(rules.size) : file.pieces.size();
  std::vector<std::string> pieces;
  for (std::size_t id = 0; id < count; ++id) {
    const Piece& piece = file.pieces[id];
    const bool spelled = piece.type == PieceType::normal;
    pieces.push_back(spelled ? foreign_spelling(piece.text, rules.kind) : piece.text);
  }
  return pieces;
}

}  // namespace gloss
