// SPDX-License-Identifier: Apache-2.0
// Only this file and subword_learn.cc use SentencePiece.
#include "tokenizer/subword.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/text.h"
#include "tokenizer/bpe.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/model_file.h"
#include "tokenizer/quiet.h"
#include "tokenizer/text_parts.h"
#include "tokenizer/utf8.h"
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

void check(const sentencepiece::util::Status& status, std::string_view doing) {
  if (!status.ok()) throw Error(concat("SentencePiece could not ", doing, ": ", status.ToString()));
}

/// Calls `take` with the text before, between and after spaces.
template <class Take>
void for_each_column(std::string_view text, const Take& take) {
  for (std::size_t end; (end = text.find(' ')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    take(text.substr(0, end));
  }
  take(text);
}

/// True if the file begins like text: a model begins with lengths, which are control characters.
bool looks_like_text(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 2000);
  return !begin.empty() && std::ranges::none_of(begin, [](char c) {
    return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
  });
}

/// True for lines "PIECE<tab>SCORE", which SentencePiece writes beside a model as FILE.vocab.
bool looks_like_piece_list(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  const std::size_t tab = line.find('\t');
  double score = 0;
  return tab != std::string_view::npos && parse_number(std::string(line.substr(tab + 1)), score);
}

/// Throws InputError for text that was given instead of a model.
void expect_model(std::string_view bytes, const std::string& path) {
  if (!looks_like_text(bytes)) return;
  const bool list = looks_like_piece_list(bytes);
  const std::string model = path.ends_with(".vocab") ? path.substr(0, path.size() - 6) + ".model" : "";
  throw InputError(concat(path, list ? " is a list of pieces and scores" : " is a text file",
                          ", expected a SentencePiece model: a binary file written by 'gloss vocab' or "
                          "SentencePiece",
                          model.empty() ? "" : concat(", such as ", model)));
}

/// Calls `take` with each word between spaces.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for_each_column(text, [&](std::string_view word) {
    if (!word.empty()) take(word);
  });
}

/// A private-use character (U+E000), which does not occur in text. Text after it continues a line.
constexpr std::string_view kNothing = "\xEE\x80\x80";

}  // namespace

struct Subwords::Implementation {
  std::string bytes;
  ModelFile model;
  sentencepiece::SentencePieceProcessor processor;
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
  /// Calls `take(id, piece)` for the pieces into which SentencePiece splits a text. A long text is split in
  /// parts.
  template <class Take>
  void split(std::string_view text, const Take& take) const;
  /// The same for a part that continues a line, so that SentencePiece must not put a space before it.
  template <class Take>
  void split_continuation(std::string_view part, const Take& take) const;
  /// Calls `take(id, piece)` for the pieces of a text; unknown ones are the text itself.
  template <class Take>
  void for_each_piece(std::string_view text, const Take& take) const;

  /// The text of the pieces `piece_at(0)` to `piece_at(count - 1)`, decoded some at a time.
  template <class PieceAt>
  std::string decode(std::size_t count, const PieceAt& piece_at) const;

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
    split(word, [&](int id, std::string_view) { found.push_back(id); });
  }
  return found;
}

template <class Take>
void Subwords::Implementation::split(std::string_view text, const Take& take) const {
  const char* const begin = text.data();
  for_each_part(text, " ", [&](std::string_view part) {
    if (part.data() != begin) {
      split_continuation(part, take);
      return;
    }
    sentencepiece::ImmutableSentencePieceText found;
    check(processor.Encode(part, found.mutable_proto()), "split a text");
    for (std::size_t i = 0; i < found.pieces_size(); ++i) {
      const auto piece = found.pieces(static_cast<int>(i));
      take(static_cast<int>(piece.id()), std::string_view(piece.piece()));
    }
  });
}

template <class Take>
void Subwords::Implementation::split_continuation(std::string_view part, const Take& take) const {
  sentencepiece::ImmutableSentencePieceText alone, found;
  check(processor.Encode(kNothing, alone.mutable_proto()), "split a text");
  check(processor.Encode(concat(kNothing, part), found.mutable_proto()), "split a text");
  const std::size_t before = alone.pieces_size();
  for (std::size_t i = 0; i < found.pieces_size(); ++i) {
    const auto piece = found.pieces(static_cast<int>(i));
    std::string_view text = piece.piece();
    if (i < before) {
      // The last piece of kNothing may be joined with unknown characters of the part.
      const std::string& known = alone.pieces(static_cast<int>(i)).piece();
      if (text.starts_with(known)) text.remove_prefix(known.size());
      if (text.empty()) continue;
    }
    take(static_cast<int>(piece.id()), text);
  }
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
        split(word, take);
      }
      take_known();
    });
  } else {
    split(text, take);
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

template <class PieceAt>
std::string Subwords::Implementation::decode(std::size_t count, const PieceAt& piece_at) const {
  constexpr std::size_t kPiecesAtOnce = 1 << 16;  // SentencePiece takes about 250 bytes for each
  // A piece before those that continue the text: without it, a space before them would be left out.
  constexpr const char* kBefore = "x";
  std::string text, decoded;
  std::vector<std::string> part;
  bool continues = false;
  for (std::size_t i = 0; i <= count; ++i) {
    const bool enough = part.size() >= kPiecesAtOnce &&
                        // Bytes of one character stay together.
                        (part.size() >= 2 * kPiecesAtOnce || i == count || byte_of_piece(piece_at(i)) < 0);
    if (enough || i == count) {
      check(processor.Decode(part, &decoded), "decode pieces");
      text.append(decoded, continues && decoded.starts_with(kBefore) ? 1 : 0);
      part.assign(1, kBefore);
      continues = true;
    }
    if (i < count) part.push_back(piece_at(i));
  }
  return one_line(std::move(text));
}

std::string Subwords::Implementation::normalized(std::string_view text) const {
  if (model.byte_level) return text.empty() ? "" : byte_characters(concat(" ", text));
  std::string whole;
  if (by_words(text)) {
    for_each_word(text, [&](std::string_view word) { whole.append(kPieceSpace).append(word); });
    return whole;
  }
  split(text, [&](int id, std::string_view piece) {
    if (!byte_ids.empty() && processor.IsByte(id)) {
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
  silence_sentencepiece();
  Subwords subwords;
  Implementation& it = *subwords.implementation_;
  it.model = read_model_file(bytes, where);
  it.bytes = std::move(bytes);
  const sentencepiece::util::Status status = it.processor.LoadFromSerializedProto(it.bytes);
  if (!status.ok()) throw InputError(concat(where, ": SentencePiece cannot use it: ", status.ToString()));
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
    it.split(text, [&](int id, std::string_view) { ids.push_back(id); });
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
  return implementation_->decode(
      ids.size(), [&](std::size_t i) -> const std::string& { return implementation_->piece(ids[i]); });
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
  return implementation_->decode(pieces.size(),
                                 [&](std::size_t i) -> const std::string& { return pieces[i]; });
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
int Subwords::begin_id() const { return implementation_->processor.bos_id(); }
int Subwords::end_id() const { return implementation_->processor.eos_id(); }
const std::string& Subwords::bytes() const { return implementation_->bytes; }

std::string sentencepiece_version() { return GLOSS_SENTENCEPIECE_VERSION; }

}  // namespace gloss
