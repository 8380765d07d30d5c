// SPDX-License-Identifier: Apache-2.0

#include "pipeline/hugging_face/hugging_face_tokenizer.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/files.h"
#include "base/index.h"
#include "base/json.h"
#include "base/text.h"
#include "pipeline/foreign/text_lines.h"
#include "pipeline/foreign/tokenizer_beside.h"
#include "pipeline/hugging_face/hugging_face_vocabulary.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr int kMostPieces = 4'000'000;

/// A file of settings as an object; empty if it is missing.
json optional_object(const std::string& path) {
  if (!std::filesystem::exists(path)) return json::object();
  json object = read_json(path);
  if (!object.is_object()) throw InputError(concat(path, ": expected an object"));
  return object;
}

/// Reads tokens, each a text or an object with one, from the members of a file.
class TokenReader {
 public:
  TokenReader(std::string path, SpecialTokens& to) : path_(std::move(path)), to_(to) {}

  std::string read(const json& token, const std::string& member) {
    const json& content = token.is_object() ? token.value("content", json()) : token;
    if (!content.is_string()) {
      throw InputError(concat(path_, ": '", member, "' is ", ascii_json_line(token).substr(0, 80),
                              "; expected a token: text, or an object with 'content'"));
    }
    auto text = content.get<std::string>();
    if (text.empty()) throw InputError(concat(path_, ": '", member, "' has an empty token; expected text"));
    const bool takes_spaces = token.is_object() && token.value("lstrip", json()) == json(true);
    if (takes_spaces) to_.taking_spaces.insert(text);
    return text;
  }

  void take_named(const json& object) {
    const auto kNames = {"unk_token", "bos_token", "eos_token", "sep_token",
                         "cls_token", "pad_token", "mask_token"};
    for (const std::string name : kNames) {
      if (object.contains(name) && !object.at(name).is_null()) to_.named[name] = read(object.at(name), name);
    }
    const std::string additional = "additional_special_tokens";
    if (!object.contains(additional) || object.at(additional).is_null()) return;
    if (!object.at(additional).is_array())
      throw InputError(concat(path_, ": '", additional, "' is no list of tokens"));
    std::vector<std::string> tokens;
    for (const json& token : object.at(additional)) tokens.push_back(read(token, additional));
    if (!tokens.empty()) to_.additional = std::move(tokens);
  }

  /// `id`: any value.
  void add(const json& id, const std::string& token) {
    if (!id.is_number_integer() || id < 0 || id >= kMostPieces) {
      throw InputError(concat(path_, ": the token '", token, "' has the id ",
                              ascii_json_line(id).substr(0, 80), "; expected 0 to ", kMostPieces - 1));
    }
    to_.added[id.get<int>()] = token;
  }

 private:
  std::string path_;
  SpecialTokens& to_;
};

void take_config(const std::string& path, SpecialTokens& tokens) {
  const json config = optional_object(path);
  TokenReader reader(path, tokens);
  reader.take_named(config);
  const ForeignConfig settings(path, config);
  tokens.attaches_punctuation = settings.flag("clean_up_tokenization_spaces", true);
  tokens.lower_case = settings.flag("do_lower_case", tokens.lower_case);
  tokens.source_language = settings.text("src_lang", "");
  tokens.target_language = settings.text("tgt_lang", "");
  tokens.language_after = settings.flag("legacy_behaviour", false);
  tokens.adds_begin = settings.flag("add_bos_token", false);
  const json added = config.value("added_tokens_decoder", json::object());
  if (!added.is_object()) settings.refuse("added_tokens_decoder", "an object with a token for each id");
  for (const auto& [id, token] : added.items()) {
    int number = -1;
    if (!parse_number(id, number)) settings.refuse("added_tokens_decoder", "ids as the names of members");
    reader.add(number, reader.read(token, "added_tokens_decoder"));
  }
}

}  // namespace

void SpecialTokens::set_default(const std::string& what, const std::string& token, bool takes_spaces) {
  if (named.emplace(what, token).second && takes_spaces) taking_spaces.insert(token);
}

std::string SpecialTokens::name(const std::string& what, const std::string& otherwise) const {
  const auto found = named.find(what);
  return found == named.end() ? otherwise : found->second;
}

SpecialTokens read_special_tokens(const HuggingFaceFiles& files) {
  SpecialTokens tokens;
  if (files.tokenizer) {
    tokens.lower_case = files.tokenizer->lower_case;
    for (const TokenizerJson::Added& token : files.tokenizer->added) {
      tokens.added[token.id] = token.text;
      if (token.takes_spaces) tokens.taking_spaces.insert(token.text);
    }
  }
  take_config(files.file("tokenizer_config.json"), tokens);
  const std::string map = files.file("special_tokens_map.json");
  TokenReader(map, tokens).take_named(optional_object(map));
  const std::string path = files.file("added_tokens.json");
  TokenReader reader(path, tokens);
  const json added = optional_object(path);
  for (const auto& [token, id] : added.items()) reader.add(id, token);
  return tokens;
}

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
    take(read_vocabulary(files_.file(name)), files_.file(name));
}

void VocabularyOfDirectory::take_lines(const std::string& name) {
  if (!take_whole(TokenizerJson::Kind::word_pieces)) take(text_lines(files_.file(name)), files_.file(name));
}

void VocabularyOfDirectory::take_pieces(const std::string& name) {
  if (take_whole(TokenizerJson::Kind::unigram)) return;
  std::vector<std::string> texts;
  for (Piece& piece : read_model_file(read_file(files_.file(name)), files_.file(name)).pieces)
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

void VocabularyOfDirectory::complete(int size) {
  for (const auto& [id, token] : specials_.added) {
    if (token.empty()) throw InputError(concat(path_, ": the added token ", id, " is empty; expected text"));
    if (id < static_cast<int>(pieces_.size())) {
      if (pieces_[index(id)] != token) {
        throw InputError(concat(path_, ": the piece ", id, " is '", pieces_[index(id)],
                                "', but the tokenizer's settings have the token '", token, "' there"));
      }
      special_ids_.insert(id);
      continue;
    }
    if (id > static_cast<int>(pieces_.size())) {
      throw InputError(concat(path_, ": the added token '", token, "' has the id ", id, ", but there are ",
                              pieces_.size(), " pieces before it"));
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
}

int VocabularyOfDirectory::id(const std::string& piece) const {
  const auto found = ids_.find(piece);
  if (found == ids_.end()) throw InputError(concat(path_, ": there is no piece '", piece, "'"));
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
  return tokenizer_with_pieces(files.file(model_file), vocabulary);
}

std::shared_ptr<const Subwords> byte_pair_tokenizer(const HuggingFaceFiles& files,
                                                    const ForeignVocabulary& vocabulary) {
  if (files.tokenizer) {
    const TokenizerJson& file = *files.tokenizer;
    return std::make_shared<const Subwords>(
        Subwords::from_bytes(ranked_pairs_file(vocabulary, file.merges, file.path), file.path));
  }
  const std::string path = files.file("merges.txt");
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
