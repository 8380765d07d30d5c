// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/subword.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "tokenizer/byte_pieces.h"
#include "tokenizer/foreign_subwords.h"
#include "tokenizer/model_file.h"
#include "tokenizer/ranked_pairs.h"
#include "tokenizer/subword_model.h"
#include "tokenizer/text_pieces.h"
#include "tokenizer/whole_words.h"
#include "tokenizer/word_pieces.h"

namespace gloss {
namespace {

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

/// Throws InputError for text, such as a list of pieces, that was given instead of a SentencePiece model.
void expect_model(std::string_view bytes, const std::string& path) {
  if (!looks_like_text(bytes)) return;
  const bool list = looks_like_piece_list(bytes);
  const std::string model = path.ends_with(".vocab") ? path.substr(0, path.size() - 6) + ".model" : "";
  throw InputError(concat(path, list ? " is a list of pieces and scores" : " is a text file",
                          ", expected a SentencePiece model: a binary file written by 'gloss vocab' or "
                          "SentencePiece",
                          model.empty() ? "" : concat(", such as ", model)));
}

/// Replaces newlines, which only byte pieces can produce, to write exactly one line per input line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::unique_ptr<const SubwordModel> sentence_piece_model(const ModelFile& model, std::string_view bytes,
                                                         const std::string& where) {
  if (model.byte_level) return std::make_unique<BytePieces>(model, bytes, where);
  return std::make_unique<TextPieces>(model, bytes, where);
}

/// The model that splits text between special pieces.
std::unique_ptr<const SubwordModel> model_between(const ModelFile& model, std::string_view bytes,
                                                  const std::string& where) {
  switch (model.foreign->kind) {
    case ForeignRules::Kind::word_pieces:
      return std::make_unique<WordPieces>(model, model.foreign->lower_case);
    case ForeignRules::Kind::ranked_pairs:
      return std::make_unique<RankedPairs>(model, *model.foreign, where);
    case ForeignRules::Kind::words:
      return std::make_unique<WholeWords>(model);
    case ForeignRules::Kind::sentence_pieces:
      break;
  }
  return sentence_piece_model(model, bytes, where);
}

}  // namespace

std::unique_ptr<const SubwordModel> read_subword_model(std::string_view bytes, const std::string& where) {
  const ModelFile model = read_model_file(bytes, where);
  if (!model.foreign) return sentence_piece_model(model, bytes, where);
  return std::make_unique<ForeignSubwords>(model, model_between(model, bytes, where));
}

struct Subwords::Implementation {
  std::string bytes;
  std::unique_ptr<const SubwordModel> model;
};

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
  it.bytes = std::move(bytes);
  it.model = read_subword_model(it.bytes, where);
  return subwords;
}

std::vector<int> Subwords::encode(std::string_view text) const {
  std::vector<int> ids;
  implementation_->model->encode(text, ids);
  return ids;
}

std::vector<std::string> Subwords::encode_pieces(std::string_view text) const {
  std::vector<std::string> pieces;
  implementation_->model->split(text, [&](int, std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

std::string Subwords::encode_text(std::string_view text) const {
  std::string pieces;
  implementation_->model->split(text, [&](int, std::string_view piece) {
    if (!pieces.empty()) pieces += ' ';
    pieces += piece;
  });
  return pieces;
}

std::vector<int> Subwords::sample(std::string_view text, double dropout, Random& random) const {
  std::vector<int> ids;
  implementation_->model->sample(text, dropout, random, [&](int id, std::string_view) { ids.push_back(id); });
  return ids;
}

std::vector<std::string> Subwords::sample_pieces(std::string_view text, double dropout,
                                                 Random& random) const {
  std::vector<std::string> pieces;
  implementation_->model->sample(text, dropout, random,
                                 [&](int, std::string_view piece) { pieces.emplace_back(piece); });
  return pieces;
}

std::string Subwords::reason_against_sampling() const {
  return implementation_->model->reason_against_sampling();
}

std::string Subwords::decode(std::span<const int> ids) const {
  for (const int id : ids) {
    if (id < 0 || id >= size()) {
      throw InputError(concat("id ", id, " is not in the vocabulary; expected 0 to ", size() - 1));
    }
  }
  return one_line(implementation_->model->decode(ids));
}

std::string Subwords::decode_pieces(const std::vector<std::string>& pieces) const {
  return one_line(implementation_->model->join(
      pieces.size(), [&](std::size_t i) -> const std::string& { return pieces[i]; }));
}

int Subwords::size() const { return implementation_->model->size(); }

const std::string& Subwords::piece(int id) const {
  expects(id >= 0 && id < size(), "piece ", id, " of a vocabulary of ", size());
  return implementation_->model->piece(id);
}

std::string Subwords::piece_text(int id) const {
  expects(id >= 0 && id < size(), "piece ", id, " of a vocabulary of ", size());
  return implementation_->model->piece_text(id);
}

int Subwords::unknown_id() const { return implementation_->model->unknown_id(); }
int Subwords::begin_id() const { return implementation_->model->begin_id(); }
int Subwords::end_id() const { return implementation_->model->end_id(); }
std::vector<int> Subwords::never_generated() const { return implementation_->model->never_generated(); }
const std::string& Subwords::bytes() const { return implementation_->bytes; }

std::string sentencepiece_version() { return GLOSS_SENTENCEPIECE_VERSION; }

}  // namespace gloss
