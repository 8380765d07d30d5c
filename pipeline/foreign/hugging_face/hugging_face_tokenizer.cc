// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_tokenizer.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/text.h"
#include "pipeline/foreign/hugging_face/hugging_face_vocabulary.h"
#include "pipeline/foreign/shared/text_lines.h"
#include "pipeline/foreign/shared/tokenizer_beside.h"
#include "tokenizer/model_file.h"

namespace gloss {
VocabularyOfDirectory::VocabularyOfDirectory(const HuggingFaceFiles& files, SpecialTokens specials)
    : files_(files), specials_(std::move(specials)) {}

void VocabularyOfDirectory::take(std::vector<std::string> pieces, const std::string& path) {
  path_ = path;
  pieces_ = std::move(pieces);
  for (std::size_t id = 0; id < pieces_.size(); ++id) ids_[pieces_[id]] = static_cast<int>(id);
}

bool VocabularyOfDirectory::take_whole(TokenizerJson::Kind kind) {
  if (!files_.tokenizer) return false;
  const TokenizerJson& file = *files_.tokenizer;
  if (file.kind != kind) {
    throw InputError(
        concat(file.path, " has another kind of tokenizer than models of this kind; expected ", "their own"));
  }
  take(file.pieces, file.path);
  return true;
}

void VocabularyOfDirectory::take_json(const std::string& name) {
  if (!take_whole(TokenizerJson::Kind::byte_pairs))
    take(read_vocabulary(files_.needed_file(name)), files_.file(name));
}

void VocabularyOfDirectory::take_lines(const std::string& name) {
  if (!take_whole(TokenizerJson::Kind::word_pieces))
    take(text_lines(files_.needed_file(name)), files_.file(name));
}

void VocabularyOfDirectory::take_pieces(const std::string& name) {
  if (take_whole(TokenizerJson::Kind::sentence_pieces)) return;
  std::vector<std::string> texts;
  for (Piece& piece : read_model_file(read_file(files_.needed_file(name)), files_.file(name)).pieces)
    texts.push_back(std::move(piece.text));
  take(std::move(texts), files_.file(name));
}

void VocabularyOfDirectory::take_fairseq_pieces(const std::string& name) {
  constexpr std::size_t kFirst = 3;  // <unk>, <s> and </s> have other ids
  take_pieces(name);
  if (files_.tokenizer) return;  // they have the ids of the model
  const std::vector<std::string> expected{"<unk>", "<s>", "</s>"};
  if (pieces_.size() < kFirst || !std::equal(expected.begin(), expected.end(), pieces_.begin())) {
    throw InputError(concat(path_, " begins with the pieces ",
                            join({pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(
                                                                         std::min(kFirst, pieces_.size()))},
                                 ", "),
                            "; expected <unk>, <s>, </s>"));
  }
  std::vector<std::string> pieces{"<s>", "<pad>", "</s>", "<unk>"};
  for (std::size_t id = kFirst; id < pieces_.size(); ++id) pieces.push_back(pieces_[id]);
  ids_.clear();
  take(std::move(pieces), path_);
}

void VocabularyOfDirectory::append(const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces) {
    const auto [place, added] = ids_.emplace(piece, static_cast<int>(pieces_.size()));
    if (added) pieces_.push_back(piece);
    special_ids_.insert(place->second);
  }
}

int VocabularyOfDirectory::complete(int size) {
  for (const auto& [id, token] : specials_.added) {
    if (token.empty()) throw InputError(concat(path_, ": the added token ", id, " is empty; expected text"));
    if (id < static_cast<int>(pieces_.size())) {
      if (pieces_[index(id)] != token) {
        throw InputError(concat(path_, ": the piece ", id, " is ", shown(pieces_[index(id)]),
                                ", but the tokenizer's settings have the token ", shown(token), " there"));
      }
      special_ids_.insert(id);
      continue;
    }
    if (id > static_cast<int>(pieces_.size())) {
      throw InputError(concat(path_, ": the added token ", shown(token), " has the id ", id,
                              ", but there are ", pieces_.size(), " pieces before it"));
    }
    append({token});
  }
  constexpr int kMostUnused = 65'536;
  const int missing = size - static_cast<int>(pieces_.size());
  if (missing > kMostUnused) {
    throw InputError(concat(path_, ": there are ", pieces_.size(), " pieces, but vocab_size is ", size,
                            "; expected the vocabulary with which the model was trained"));
  }
  for (int name = static_cast<int>(pieces_.size()); static_cast<int>(pieces_.size()) < size; ++name)
    if (const std::string unused = filling_piece(name); !has(unused)) append({unused});  // not one of its own
  return std::max(missing, 0);
}

int VocabularyOfDirectory::id(const std::string& piece) const {
  const auto found = ids_.find(piece);
  if (found == ids_.end()) throw InputError(concat(path_, ": there is no piece ", shown(piece)));
  return found->second;
}

ForeignVocabulary VocabularyOfDirectory::vocabulary(int begin, int end, const std::string& unknown) const {
  ForeignVocabulary result;
  result.pieces = pieces_;
  result.unknown = id(unknown);
  result.begin = begin;
  result.end = end;
  result.attaches_punctuation = specials_.attaches_punctuation;
  result.continues_specials = files_.tokenizer && files_.tokenizer->continues_specials;
  std::set<int> ids = special_ids_;
  ids.insert(result.unknown);
  for (const int given : {begin, end}) {
    if (given >= 0) ids.insert(given);
  }
  for (const auto& [name, token] : specials_.named) {
    if (has(token)) ids.insert(id(token));
  }
  const int size = static_cast<int>(pieces_.size());
  for (const int special : ids) {
    if (special >= size) {
      throw InputError(
          concat(path_, ": the id ", special, " of a special token is none of the ", size, " pieces"));
    }
    result.specials.push_back({special, specials_.taking_spaces.contains(pieces_[index(special)])});
  }
  return result;
}

std::shared_ptr<const Subwords> sentence_piece_tokenizer(const HuggingFaceFiles& files,
                                                         const ForeignVocabulary& vocabulary,
                                                         const std::string& model_file) {
  if (files.tokenizer) {
    const TokenizerJson& file = *files.tokenizer;
    return std::make_shared<const Subwords>(
        Subwords::from_bytes(renumbered_file(vocabulary, file.sentence_piece_model, file.path), file.path));
  }
  return tokenizer_with_pieces(files.needed_file(model_file), vocabulary);
}

std::shared_ptr<const Subwords> byte_pair_tokenizer(const HuggingFaceFiles& files,
                                                    const ForeignVocabulary& vocabulary) {
  if (files.tokenizer) {
    const TokenizerJson& file = *files.tokenizer;
    return std::make_shared<const Subwords>(
        Subwords::from_bytes(ranked_pairs_file(vocabulary, file.merges, file.path), file.path));
  }
  const std::string path = files.needed_file("merges.txt");
  std::vector<std::pair<std::string, std::string>> merges;
  std::int64_t number = 0;
  for (const std::string& line : text_lines(path)) {
    ++number;
    if (line.starts_with("#version") || line.empty()) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos) {
      throw InputError(
          concat(path, ":", number, ": found '", line.substr(0, 80), "', expected two pieces to merge"));
    }
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  if (merges.empty()) throw InputError(concat(path, " has no merges; expected lines of two pieces each"));
  return std::make_shared<const Subwords>(
      Subwords::from_bytes(ranked_pairs_file(vocabulary, merges, path), path));
}

}  // namespace gloss
