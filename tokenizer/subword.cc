// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/subword.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tokenizer/bpe.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/expect_model.h"
#include "tokenizer/model_file.h"
#include "tokenizer/sentence_pieces.h"
#include "tokenizer/text_parts.h"
#include "tokenizer/word_cache.h"

namespace gloss {
namespace {

/// Replaces newlines, which only byte pieces can produce, to write exactly one line per input line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// The line of text for the bytes from a byte-level model: without the space before the first word; invalid
/// UTF-8, which a network may generate, becomes U+FFFD.
std::string line_of_bytes(std::string_view bytes) {
  if (bytes.starts_with(' ')) bytes.remove_prefix(1);
  return one_line(valid_utf8(bytes));
}

/// Calls `take` with the text before, between and after spaces.
template <class Take>
void for_each_column(std::string_view text, const Take& take) {
  for (std::size_t end; (end = text.find(' ')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    take(text.substr(0, end));
  }
  take(text);
}

/// Calls `take` with each word between spaces.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for_each_column(text, [&](std::string_view word) {
    if (!word.empty()) take(word);
  });
}

}  // namespace

struct Subwords::Implementation {
  std::string bytes;
  ModelFile model;
  std::optional<SentencePieces> sentence_pieces;
  std::unique_ptr<BytePairs> byte_pairs;  // null if the model is not a BPE model
  std::vector<int> byte_ids;              // ids of the byte pieces; empty without byte fallback
  std::unordered_map<std::string_view, int> id_of_piece;  // for byte-level models only
  mutable WordCache words;

  /// True if the words of the text can be encoded independently.
  bool by_words(std::string_view text) const {
    return model.words_apart && text.find(kPieceSpace) == std::string_view::npos;
  }
  /// Appends the ids of a word, from the cache if possible. Requires `by_words`.
  void encode_word(std::string_view word, std::vector<int>& ids) const;
  /// Encodes a word. Requires `by_words`.
  std::vector<int> ids_of_word(std::string_view word) const;
  /// The bytes that a piece represents.
  std::string text_of(int id) const;
  /// Calls `take(id, piece)` for the pieces of a text; unknown ones are the text itself.
  template <class Take>
  void for_each_piece(std::string_view text, const Take& take) const;

  /// The text after SentencePiece's normalisation.
  std::string normalized(std::string_view text) const;
  std::string reason_against_sampling() const;
  /// Calls `add(id, piece)` for the pieces of a normalised text, with subword dropout.
  template <class Add>
  void sample(std::string_view normalized_text, double dropout, Random& random, const Add& add) const;
  /// Calls `add(id, piece)` for each segment as SentencePiece does: adjacent unknown segments are joined, or
  /// become bytes with byte fallback.
  template <class Add>
  void for_each_segment(const std::vector<Segment>& segments, const Add& add) const;
  const std::string& piece(int id) const { return model.pieces[index(id)].text; }
};

std::vector<int> Subwords::Implementation::ids_of_word(std::string_view word) const {
  std::vector<int> found;
  if (model.byte_level) {
    // SentencePiece would look for user symbols before mapping bytes to characters, and would mistake the
    // byte characters of a symbol for the symbol.
    for_each_part(concat(" ", word), " ", [&](std::string_view part) {
      const std::string characters = byte_characters(part);
      for (const Segment& segment : byte_pairs->segment(characters, 0, nullptr)) found.push_back(segment.id);
    });
  } else {
    sentence_pieces->split(word, [&](int id, std::string_view) { found.push_back(id); });
  }
  return found;
}

template <class Take>
void Subwords::Implementation::for_each_piece(std::string_view text, const Take& take) const {
  std::vector<int> ids;
  const auto take_known = [&] {
    for (const int id : ids) take(id, std::string_view(piece(id)));
    ids.clear();
  };
  if (model.byte_level) {  // nothing is unknown
    if (!text.empty()) for_each_column(text, [&](std::string_view word) { encode_word(word, ids); });
    take_known();
  } else if (by_words(text)) {
    for_each_word(text, [&](std::string_view word) {
      encode_word(word, ids);
      // Ids do not contain the text of unknown pieces.
      if (std::ranges::find(ids, model.unknown_id) != ids.end()) {
        ids.clear();
        sentence_pieces->split(word, take);
      }
      take_known();
    });
  } else {
    sentence_pieces->split(text, take);
  }
}

void Subwords::Implementation::encode_word(std::string_view word, std::vector<int>& ids) const {
  if (words.find(word, ids)) return;
  const std::vector<int> found = ids_of_word(word);
  words.insert(word, found);
  ids.insert(ids.end(), found.begin(), found.end());
}

std::string Subwords::Implementation::text_of(int id) const {
  const Piece& entry = model.pieces[index(id)];
  switch (entry.type) {
    case PieceType::control:
      return "";
    case PieceType::unknown:
      return " \xE2\x81\x87 ";  // as SentencePiece decodes it
    case PieceType::byte:
      return std::string(1, static_cast<char>(byte_of_piece(entry.text)));
    default:
      break;
  }
  if (model.byte_level) return bytes_of_characters(entry.text);
  std::string text;
  for (std::size_t at = 0; at < entry.text.size();) {
    const bool space = entry.text.compare(at, kPieceSpace.size(), kPieceSpace) == 0;
    text += space ? ' ' : entry.text[at];
    at += space ? kPieceSpace.size() : 1;
  }
  return text;
}

std::string Subwords::Implementation::normalized(std::string_view text) const {
  if (model.byte_level) return text.empty() ? "" : byte_characters(concat(" ", text));
  std::string whole;
  if (by_words(text)) {
    for_each_word(text, [&](std::string_view word) { whole.append(kPieceSpace).append(word); });
    return whole;
  }
  sentence_pieces->split(text, [&](int id, std::string_view piece) {
    if (!byte_ids.empty() && sentence_pieces->is_byte(id)) {
      whole += static_cast<char>(byte_of_piece(piece));
    } else {
      whole += piece;
    }
  });
  return whole;
}

std::string Subwords::Implementation::reason_against_sampling() const {
  if (byte_pairs != nullptr) return "";
  return concat("BPE dropout needs a BPE model; this is a ",
                model.segmentation == Segmentation::unigram ? "unigram" : "character",
                " model; learn one with 'gloss vocab'");
}

template <class Add>
void Subwords::Implementation::sample(std::string_view normalized_text, double dropout, Random& random,
                                      const Add& add) const {
  if (byte_pairs == nullptr) throw InputError(reason_against_sampling());
  for_each_part(normalized_text, kPieceSpace, [&](std::string_view part) {
    for_each_segment(byte_pairs->segment(part, dropout, &random), add);
  });
}

template <class Add>
void Subwords::Implementation::for_each_segment(const std::vector<Segment>& segments, const Add& add) const {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::string_view text = segments[i].text;
    if (segments[i].id != model.unknown_id) {
      add(segments[i].id, text);
    } else if (!byte_ids.empty()) {
      for (const char byte : text) {
        const int id = byte_ids[static_cast<unsigned char>(byte)];
        add(id, piece(id));
      }
    } else {
      for (; i + 1 < segments.size() && segments[i + 1].id == model.unknown_id; ++i) {
        text = std::string_view(text.data(), text.size() + segments[i + 1].text.size());
      }
      add(model.unknown_id, text);
    }
  }
}

Subwords::Subwords() : implementation_(std::make_unique<Implementation>()) {}
Subwords::Subwords(Subwords&&) noexcept = default;
Subwords& Subwords::operator=(Subwords&&) noexcept = default;
Subwords::~Subwords() = default;

Subwords Subwords::load(const std::string& path) {
  std::string bytes = read_file(path);
  expect_model(bytes, path);
  return from_bytes(std::move(bytes), path);
}

Subwords Subwords::from_bytes(std::string bytes, const std::string& where) {
  Subwords subwords;
  Implementation& it = *subwords.implementation_;
  it.model = read_model_file(bytes, where);
  it.bytes = std::move(bytes);
  it.sentence_pieces.emplace(it.bytes, where);
  if (it.model.segmentation == Segmentation::bpe) it.byte_pairs = std::make_unique<BytePairs>(it.model);
  if (it.model.byte_level) {
    for (int id = 0; id < subwords.size(); ++id) it.id_of_piece.emplace(it.piece(id), id);
  }
  if (it.model.byte_fallback) {
    it.byte_ids.resize(256);
    for (int id = 0; id < subwords.size(); ++id) {
      if (it.model.pieces[index(id)].type != PieceType::byte) continue;
      it.byte_ids[index(byte_of_piece(it.piece(id)))] = id;
    }
  }
  return subwords;
}

std::vector<int> Subwords::encode(std::string_view text) const {
  const Implementation& it = *implementation_;
  std::vector<int> ids;
  if (it.model.byte_level) {
    if (!text.empty()) for_each_column(text, [&](std::string_view word) { it.encode_word(word, ids); });
  } else if (it.by_words(text)) {
    for_each_word(text, [&](std::string_view word) { it.encode_word(word, ids); });
  } else {
    it.sentence_pieces->split(text, [&](int id, std::string_view) { ids.push_back(id); });
  }
  return ids;
}

std::vector<std::string> Subwords::encode_pieces(std::string_view text) const {
  std::vector<std::string> pieces;
  implementation_->for_each_piece(text, [&](int, std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

std::string Subwords::encode_text(std::string_view text) const {
  std::string pieces;
  implementation_->for_each_piece(text, [&](int, std::string_view piece) {
    if (!pieces.empty()) pieces += ' ';
    pieces += piece;
  });
  return pieces;
}

std::vector<int> Subwords::sample(std::string_view text, double dropout, Random& random) const {
  const std::string normalized = implementation_->normalized(text);
  std::vector<int> ids;
  implementation_->sample(normalized, dropout, random, [&](int id, std::string_view) { ids.push_back(id); });
  return ids;
}

std::vector<std::string> Subwords::sample_pieces(std::string_view text, double dropout,
                                                 Random& random) const {
  const std::string normalized = implementation_->normalized(text);
  std::vector<std::string> pieces;
  implementation_->sample(normalized, dropout, random,
                          [&](int, std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

std::string Subwords::reason_against_sampling() const { return implementation_->reason_against_sampling(); }

std::string Subwords::decode(std::span<const int> ids) const {
  for (const int id : ids) {
    if (id < 0 || id >= size()) {
      throw InputError(concat("id ", id, " is not in the vocabulary; expected 0 to ", size() - 1));
    }
  }
  if (implementation_->model.byte_level) {
    std::string text;
    for (const int id : ids) text += implementation_->text_of(id);
    return line_of_bytes(text);
  }
  return one_line(implementation_->sentence_pieces->decode(
      ids.size(), [&](std::size_t i) -> const std::string& { return implementation_->piece(ids[i]); }));
}

std::string Subwords::decode_pieces(const std::vector<std::string>& pieces) const {
  if (implementation_->model.byte_level) {
    std::string text;
    for (const std::string& piece : pieces) {
      const auto found = implementation_->id_of_piece.find(piece);
      text += found == implementation_->id_of_piece.end() ? piece : implementation_->text_of(found->second);
    }
    return line_of_bytes(text);
  }
  return one_line(implementation_->sentence_pieces->decode(
      pieces.size(), [&](std::size_t i) -> const std::string& { return pieces[i]; }));
}

int Subwords::size() const { return static_cast<int>(implementation_->model.pieces.size()); }

const std::string& Subwords::piece(int id) const {
  expects(id >= 0 && id < size(), "piece ", id, " of a vocabulary of ", size());
  return implementation_->piece(id);
}

std::string Subwords::piece_text(int id) const {
  expects(id >= 0 && id < size(), "piece ", id, " of a vocabulary of ", size());
  return implementation_->text_of(id);
}

int Subwords::unknown_id() const { return implementation_->model.unknown_id; }
int Subwords::begin_id() const { return implementation_->sentence_pieces->begin_id(); }
int Subwords::end_id() const { return implementation_->sentence_pieces->end_id(); }
const std::string& Subwords::bytes() const { return implementation_->bytes; }

std::string sentencepiece_version() { return GLOSS_SENTENCEPIECE_VERSION; }

}  // namespace gloss
