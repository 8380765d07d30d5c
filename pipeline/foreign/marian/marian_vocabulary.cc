// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/marian/marian_vocabulary.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/shown.h"
#include "model/formats/yaml.h"
#include "pipeline/foreign/shared/language_pieces.h"
#include "pipeline/foreign/shared/tokenizer_beside.h"
#include "pipeline/foreign/shared/vocabulary_size.h"
#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

namespace fs = std::filesystem;

/// The id of a special piece. Lists of Nematus have other names for it, at a fixed place.
int special_id(const std::vector<std::string>& pieces, const std::string& name, std::size_t place,
               const std::string& of_nematus, const std::string& path) {
  const auto found = std::ranges::find(pieces, name);
  if (found != pieces.end()) return static_cast<int>(found - pieces.begin());
  if (place < pieces.size() && (pieces[place].empty() || pieces[place] == of_nematus))
    return static_cast<int>(place);
  throw InputError(concat(path, " has no piece ", name, "; expected a vocabulary of Marian"));
}

/// The first `count` pieces of a map from pieces to ids; Marian ignores those after them.
std::vector<std::string> read_pieces(const std::string& path, int count) {
  const nlohmann::json map = read_yaml(path);
  if (!map.is_object()) throw InputError(concat(path, ": expected a map with the id of each piece"));
  std::vector<std::string> pieces(std::min(map.size(), index(count)));
  std::vector<bool> found(pieces.size());
  for (const auto& [piece, id] : map.items()) {
    if (!id.is_number_integer() || id < 0 || id > 1 << 24) {
      throw InputError(concat(path, ": the piece ", shown(piece), " has the id ", ascii_json_line(id),
                              "; expected a number"));
    }
    const auto place = id.get<std::size_t>();
    if (place >= pieces.size()) continue;
    if (found[place]) {
      throw InputError(
          concat(path, ": the pieces ", shown(piece), " and ", shown(pieces[place]), " have the id ", place));
    }
    found[place] = true;
    pieces[place] = piece;
  }
  if (const auto gap = std::ranges::find(found, false); gap != found.end())
    throw InputError(concat(path, ": no piece has the id ", gap - found.begin()));
  return pieces;
}

/// How a vocabulary of a model is read.
struct Vocabulary {
  std::string path;
  std::string model;    ///< the SentencePiece model that splits text into the pieces of a list; empty: none
  int count = 0;        ///< of embeddings
  std::string weights;  ///< the file with the embeddings
  bool allows_unknown = false;
};

/// A list of words, or of the pieces of a SentencePiece model.
std::shared_ptr<const Subwords> listed_tokenizer(const Vocabulary& file) {
  ForeignVocabulary vocabulary;
  vocabulary.pieces = read_pieces(file.path, file.count);
  vocabulary.end = special_id(vocabulary.pieces, kMarianEnd, 0, "eos", file.path);
  vocabulary.unknown = special_id(vocabulary.pieces, kMarianUnknown, 1, "UNK", file.path);
  if (!file.allows_unknown) vocabulary.never_generated = {vocabulary.unknown};
  if (!file.model.empty()) {
    for (std::size_t id = 0; id < vocabulary.pieces.size(); ++id) {
      if (!marian_language(vocabulary.pieces[id]).empty())
        vocabulary.specials.push_back({static_cast<int>(id)});
    }
    return tokenizer_with_pieces(file.model, vocabulary);
  }
  vocabulary.specials = {{vocabulary.end}};  // Marian finds it in text like any other word
  return std::make_shared<const Subwords>(Subwords::from_bytes(words_file(vocabulary, file.path), file.path));
}

/// A SentencePiece model: its pieces keep their ids.
std::shared_ptr<const Subwords> sentence_piece_tokenizer(const Vocabulary& file) {
  const ModelFile model = read_model_file(read_file(file.path), file.path);
  ForeignVocabulary vocabulary;
  for (const Piece& piece : model.pieces) vocabulary.pieces.push_back(piece.text);
  vocabulary.unknown = model.unknown_id;
  vocabulary.end = special_id(vocabulary.pieces, kMarianEnd, 0, kMarianEnd, file.path);
  if (!file.allows_unknown) vocabulary.never_generated = {vocabulary.unknown};
  return tokenizer_with_pieces(file.path, vocabulary);
}

/// True for a list of pieces.
bool is_list(const std::string& path) {
  const std::string kind = fs::path(path).extension();
  return kind == ".yml" || kind == ".yaml" || kind == ".json";
}

std::shared_ptr<const Subwords> read_vocabulary(const Vocabulary& file) {
  const bool listed = is_list(file.path);
  if (!listed && fs::path(file.path).extension() != ".spm")
    throw InputError(concat(file.path, " is a vocabulary of unknown kind; expected .spm, .yml or .json"));
  auto subwords = listed ? listed_tokenizer(file) : sentence_piece_tokenizer(file);
  expect_vocabulary_size(file.path, subwords->size(), file.weights, file.count);
  return subwords;
}

/// The SentencePiece models of both sides that split text into the pieces of lists; empty if there are none.
std::pair<std::string, std::string> splitters_of_lists(const MarianFiles& files) {
  if (std::ranges::none_of(files.vocabularies, is_list)) return {};
  const std::string source = files.directory + "/source.spm", target = files.directory + "/target.spm";
  const bool has_source = path_exists(source), has_target = path_exists(target);
  if (has_source != has_target) {
    throw InputError(concat(has_source ? target : source, " is missing; expected it next to ",
                            has_source ? source : target, ", as both split text into the pieces of ",
                            files.vocabularies.front()));
  }
  return has_source ? std::pair(source, target) : std::pair<std::string, std::string>();
}

}  // namespace

Tokenizers read_marian_vocabularies(const MarianFiles& files, int source, int target) {
  const std::vector<std::string>& paths = files.vocabularies;
  if (paths.empty() || paths.size() > 2) {
    throw InputError(concat(files.weights->path(), " has ", paths.size(),
                            " vocabularies; expected one, or one for the source and one for the target"));
  }
  // How OPUS-MT packs models whose text is split outside Marian.
  const auto [source_model, target_model] = splitters_of_lists(files);
  const std::string& target_path = paths.back();
  const std::string& weights = files.weights->path();
  const bool unknown = files.allows_unknown;
  const auto of_source = read_vocabulary({paths.front(), source_model, source, weights, unknown});
  if (paths.front() == target_path && source_model == target_model) return {of_source, of_source};
  auto of_target = read_vocabulary({target_path, target_model, target, weights, unknown});
  if (of_target->bytes() == of_source->bytes()) return {of_source, of_source};
  return {of_source, of_target};
}

}  // namespace gloss
