// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/model_file.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <unordered_set>

#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/charsmap.h"
#include "tokenizer/model_writer.h"
#include "tokenizer/wire.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestPieceText = 4096;  // bytes; SentencePiece recurses over them to build its trie
constexpr std::size_t kMostNested = 64;  // prefixes of one piece; size of SentencePiece's array of matches

bool is_text(PieceType type) {
  return type == PieceType::normal || type == PieceType::user_defined || type == PieceType::unused;
}

Piece read_piece(std::string_view message, const std::string& where) {
  Piece piece;
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() == 1) piece.text = reader.bytes("piece");
    if (reader.field() == 2) piece.score = reader.number("score");
    if (reader.field() == 3) {
      const std::uint64_t type = reader.varint("type");
      if (type < 1 || type > 6) throw InputError(concat(where, " has the type ", type, "; expected 1 to 6"));
      piece.type = static_cast<PieceType>(type);
    }
  }
  if (piece.text.empty()) throw InputError(concat(where, " has no text"));
  if (piece.text.size() > kLongestPieceText) {
    throw InputError(
        concat(where, " has ", piece.text.size(), " bytes of text; expected at most ", kLongestPieceText));
  }
  if (!is_valid_utf8(piece.text)) throw InputError(concat(where, " has a text that is not UTF-8"));
  if (piece.text.find('\0') != std::string::npos) throw InputError(concat(where, " has a text with a NUL"));
  if (!std::isfinite(piece.score))
    throw InputError(concat(where, " has a score that is not a finite number"));
  if (piece.type == PieceType::byte && byte_of_piece(piece.text) < 0) {
    throw InputError(concat(where, " is the byte piece ", shown(piece.text), "; expected <0x00> to <0xFF>"));
  }
  if (!is_text(piece.type) && character_size(piece.text) == piece.text.size()) {
    throw InputError(concat(where, " is the special piece ", shown(piece.text),
                            "; expected special pieces of more than one character"));
  }
  return piece;
}

void read_trainer(std::string_view message, ModelFile& model, bool& space_at_end, const std::string& where) {
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() == 3) {
      const std::uint64_t type = reader.varint("model_type");
      if (type != 1 && type != 2 && type != 4) {
        throw InputError(concat(where, ": model_type is ", type,
                                "; expected 1 (unigram), 2 (BPE) or 4 (characters); learn a vocabulary with "
                                "'gloss vocab'"));
      }
      model.segmentation = static_cast<Segmentation>(type);
    }
    if (reader.field() == 24) space_at_end = reader.varint("treat_whitespace_as_suffix") != 0;
    if (reader.field() == 35) model.byte_fallback = reader.varint("byte_fallback") != 0;
  }
}

/// The settings of a normalizer_spec.
struct Rules {
  std::string_view charsmap;
  bool add_dummy_prefix = true, remove_extra_whitespaces = true, escape_whitespaces = true;

  bool operator==(const Rules&) const = default;
};

/// Reads and checks a normalizer_spec. `rules` holds the settings of earlier messages of the same field,
/// which are overridden. The charsmap `known` needs no check.
void read_rules(std::string_view message, Rules& rules, std::string_view known, const std::string& where) {
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() == 2) {
      rules.charsmap = reader.bytes("precompiled_charsmap");
      if (rules.charsmap != known) check_charsmap(rules.charsmap, concat(where, ".precompiled_charsmap"));
    }
    if (reader.field() == 3) rules.add_dummy_prefix = reader.varint("add_dummy_prefix") != 0;
    if (reader.field() == 4) rules.remove_extra_whitespaces = reader.varint("remove_extra_whitespaces") != 0;
    if (reader.field() == 5) rules.escape_whitespaces = reader.varint("escape_whitespaces") != 0;
  }
}

void check_self_tests(std::string_view message, const std::string& where) {
  for (WireReader reader(message, where); reader.next();) {
    if (reader.field() != 1) continue;
    for (WireReader sample(reader.bytes("samples"), concat(where, ".samples")); sample.next();) {
      if (sample.field() <= 2) sample.bytes(sample.field() == 1 ? "input" : "expected");
    }
  }
}

/// Checks that no piece occurs twice and finds the unknown piece. Text pieces and special ones have separate
/// name spaces.
void check_names(ModelFile& model, const std::string& where) {
  std::unordered_set<std::string_view> texts, specials;
  int unknown = -1;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const Piece& piece = model.pieces[id];
    if (!(is_text(piece.type) ? texts : specials).insert(piece.text).second) {
      throw InputError(concat(where, ": pieces[", id, "] repeats the piece ", shown(piece.text)));
    }
    if (piece.type != PieceType::unknown) continue;
    if (unknown >= 0) {
      throw InputError(concat(where, ": pieces[", unknown, "] and pieces[", id,
                              "] are both unknown pieces; expected one"));
    }
    unknown = static_cast<int>(id);
  }
  if (unknown < 0) throw InputError(concat(where, ": there is no unknown piece (type 2)"));
  model.unknown_id = unknown;
}

void check_bytes(const ModelFile& model, const std::string& where) {
  std::bitset<256> found;
  for (const Piece& piece : model.pieces) {
    if (piece.type == PieceType::byte) found.set(index(byte_of_piece(piece.text)));
  }
  const std::size_t expected = model.byte_fallback ? 256 : 0;
  if (found.count() != expected) {
    throw InputError(concat(where, ": there are ", found.count(), " byte pieces; expected ", expected,
                            " with byte_fallback ", model.byte_fallback));
  }
}

/// Checks how many of the pieces that SentencePiece looks up in a trie are prefixes of one another.
void check_nesting(const ModelFile& model, const std::string& where) {
  std::vector<std::string_view> texts;
  for (const Piece& piece : model.pieces) {
    const bool looked_up =
        piece.type == PieceType::user_defined || model.segmentation == Segmentation::unigram;
    if (looked_up) texts.push_back(piece.text);
  }
  std::sort(texts.begin(), texts.end());
  std::vector<std::string_view> nested;
  for (const std::string_view text : texts) {
    while (!nested.empty() && !text.starts_with(nested.back())) nested.pop_back();
    nested.push_back(text);
    if (nested.size() > kMostNested) {
      throw InputError(concat(where, ": more than ", kMostNested,
                              " pieces are prefixes of one another, such as ",
                              shown(nested[kMostNested - 1])));
    }
  }
}

/// True if no text piece crosses a word boundary, and U+2581 is a piece.
bool pieces_keep_words_apart(const ModelFile& model) {
  bool space_known = false;
  for (const Piece& piece : model.pieces) {
    if (!is_text(piece.type)) continue;
    const bool fixed = piece.type == PieceType::user_defined;
    if (piece.text.find(kPieceSpace, fixed ? 0 : 1) != std::string::npos) return false;
    if (piece.text.find(' ') != std::string::npos) return false;
    space_known = space_known || (piece.text == kPieceSpace && piece.type == PieceType::normal);
  }
  return space_known && model.segmentation != Segmentation::unigram;
}

/// Checks how many lengths special pieces have: each is looked up at each place of a text.
void check_special_lengths(const ModelFile& model, const std::string& where) {
  std::unordered_set<std::size_t> lengths;
  for (const ForeignRules::Special& special : model.foreign->specials) {
    lengths.insert(model.pieces[index(special.id)].text.size());
  }
  if (lengths.size() <= kMostNested) return;
  throw InputError(
      concat(where, ": special pieces have ", lengths.size(), " lengths; expected at most ", kMostNested));
}

/// Checks the guarantees of byte-level models (ModelFile::byte_level).
void check_byte_level(const ModelFile& model, const Rules& rules, bool space_at_end,
                      const std::string& where) {
  const auto refuse = [&](const auto&... what) {
    throw InputError(concat(where, ": a model with byte-level rules ", what...));
  };
  const Rules expected{byte_level_rules(), true, false, true};
  if (model.segmentation != Segmentation::bpe) refuse("must be a BPE model");
  if (model.byte_fallback) refuse("must not set byte_fallback");
  if (space_at_end) refuse("must not set treat_whitespace_as_suffix");
  if (rules != expected) {
    refuse("must set add_dummy_prefix and escape_whitespaces, but not remove_extra_whitespaces");
  }
  std::unordered_set<std::string_view> texts;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const Piece& piece = model.pieces[id];
    if (!is_text(piece.type)) continue;
    const bool fixed = piece.type == PieceType::user_defined;
    if (!is_byte_characters(piece.text)) {
      refuse("must have pieces of byte characters, but pieces[", id, "] is ", shown(piece.text));
    }
    if (piece.text.find(kPieceSpace, fixed ? 0 : 1) != std::string::npos && piece.text != kPieceSpace) {
      refuse("must not have pieces across spaces, but pieces[", id, "] is ", shown(piece.text));
    }
    texts.insert(piece.text);
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!texts.contains(byte_character(static_cast<unsigned char>(byte)))) {
      refuse("must have a piece for each byte, but lacks ", byte_piece(static_cast<unsigned char>(byte)));
    }
  }
}

}  // namespace

int byte_of_piece(std::string_view piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece[5] != '>') return -1;
  int value = 0;
  for (const char digit : piece.substr(3, 2)) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const std::size_t place = kDigits.find(digit);
    if (place == std::string_view::npos) return -1;
    value = value * 16 + static_cast<int>(place);
  }
  return value;
}

ModelFile read_model_file(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) throw InputError(concat(where, " is empty; expected a SentencePiece model"));
  ModelFile model;
  Rules rules, rules_back;
  bool space_at_end = false;
  std::string_view foreign;
  for (WireReader reader(bytes, where); reader.next();) {
    switch (reader.field()) {
      case 1:
        model.pieces.push_back(
            read_piece(reader.bytes("pieces"), concat(where, ": pieces[", model.pieces.size(), "]")));
        break;
      case 2:
        read_trainer(reader.bytes("trainer_spec"), model, space_at_end, concat(where, ": trainer_spec"));
        break;
      case 3:
        read_rules(reader.bytes("normalizer_spec"), rules, byte_level_rules(),
                   concat(where, ": normalizer_spec"));
        break;
      case 4:
        check_self_tests(reader.bytes("self_test_data"), concat(where, ": self_test_data"));
        break;
      case 5:
        // The rules back to bytes have replacements that are not UTF-8; only byte-level models may have them.
        read_rules(reader.bytes("denormalizer_spec"), rules_back, byte_level_rules_back(),
                   concat(where, ": denormalizer_spec"));
        break;
      case kForeignRulesField:
        foreign = reader.bytes("foreign_rules");
        break;
      default:
        break;  // other fields are ignored
    }
  }
  if (model.pieces.empty()) throw InputError(concat(where, " has no pieces; expected a SentencePiece model"));
  check_names(model, where);
  check_bytes(model, where);
  check_nesting(model, where);
  model.words_apart = rules == Rules() && !space_at_end && pieces_keep_words_apart(model);
  model.byte_level = rules.charsmap == byte_level_rules();
  if (model.byte_level) {
    check_byte_level(model, rules, space_at_end, where);
  } else if (!rules_back.charsmap.empty()) {
    check_charsmap(rules_back.charsmap, concat(where, ": denormalizer_spec.precompiled_charsmap"));
  }
  if (foreign.empty()) return model;
  model.foreign = read_rules(foreign, model.pieces.size(), concat(where, ": foreign_rules"));
  if (model.unknown_id >= model.foreign->size) {
    throw InputError(concat(where, ": the unknown piece has the id ", model.unknown_id,
                            "; expected one of the ", model.foreign->size, " pieces in use"));
  }
  check_special_lengths(model, where);
  return model;
}

}  // namespace gloss
