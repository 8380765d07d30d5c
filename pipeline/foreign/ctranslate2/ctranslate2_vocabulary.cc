// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/ctranslate2/ctranslate2_vocabulary.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/shown.h"
#include "pipeline/foreign/shared/exported_tokenizers.h"
#include "pipeline/foreign/shared/language_pieces.h"
#include "pipeline/foreign/shared/text_lines.h"
#include "pipeline/foreign/shared/tokenizer_beside.h"
#include "pipeline/foreign/shared/vocabulary_size.h"

namespace gloss {
namespace {

// A vocabulary of a million pieces.
constexpr JsonLimits kVocabularyJson{
    .bytes = 64 << 20, .values = 2'000'000, .string_bytes = 1 << 16, .depth = 2};

// The only side of a language model.
const std::string kText = "text";

std::vector<std::string> read_json_list(const std::string& path) {
  const nlohmann::json list = read_json(path, kVocabularyJson);
  if (!list.is_array()) throw InputError(concat(path, ": expected a list of tokens"));
  std::vector<std::string> tokens;
  for (const nlohmann::json& token : list) {
    if (!token.is_string()) {
      throw InputError(concat(path, ": entry ", tokens.size(), " is ", ascii_json_line(token).substr(0, 80),
                              "; expected text"));
    }
    tokens.push_back(token.get<std::string>());
  }
  return tokens;
}

/// The file of a vocabulary; empty if there is none.
std::string vocabulary_path(const std::string& directory, const std::string& name) {
  for (const std::string ending : {".json", ".txt"}) {
    const std::string path = concat(directory, "/", name, ending);
    if (is_file(path)) return path;
  }
  return "";
}

/// A vocabulary of a directory.
struct Side {
  std::string name;
  std::string path;
  int embeddings = 0;
};

std::shared_ptr<const Subwords> read_side(const std::string& directory, const Side& side,
                                          const CTranslate2Tokens& tokens) {
  const std::string& path = side.path;
  ForeignVocabulary vocabulary;
  vocabulary.pieces = path.ends_with(".json") ? read_json_list(path) : text_lines(path);
  if (std::ranges::find(vocabulary.pieces, tokens.unknown) == vocabulary.pieces.end()) {
    vocabulary.pieces.push_back(tokens.unknown);  // as CTranslate2 does
  }
  expect_vocabulary_size(path, static_cast<int>(vocabulary.pieces.size()), directory + "/model.bin",
                         side.embeddings);
  const auto id_of = [&](const std::string& token, bool needed) {
    const auto found = std::ranges::find(vocabulary.pieces, token);
    if (found != vocabulary.pieces.end()) return static_cast<int>(found - vocabulary.pieces.begin());
    if (!needed) return -1;
    throw InputError(concat(path, ": there is no token ", shown(token)));
  };
  const bool target = side.name != "source";
  vocabulary.unknown = id_of(tokens.unknown, true);
  vocabulary.end = id_of(tokens.end, target || tokens.source_end);
  if (!tokens.starts_from_zero) vocabulary.begin = id_of(tokens.start, target);
  std::set<int> specials{vocabulary.unknown, vocabulary.end, vocabulary.begin};
  for (const auto& [code, id] : languages_of_pieces(vocabulary.pieces).ids) specials.insert(id);
  for (std::size_t id = 0; id < vocabulary.pieces.size(); ++id) {
    if (!marian_language(vocabulary.pieces[id]).empty()) specials.insert(static_cast<int>(id));
  }
  for (const int id : specials) {
    if (id >= 0) vocabulary.specials.push_back({id});
  }
  // The texts of a language model follow an end token, whatever the begin token of its tokenizer is.
  return tokenizer_beside(directory, {side.name, {.begin = side.name != kText, .never_generated = false}},
                          vocabulary, path);
}

}  // namespace

bool has_ctranslate2_vocabulary(const std::string& directory) {
  for (const std::string name : {"shared_vocabulary", "target_vocabulary", "vocabulary"}) {
    if (!vocabulary_path(directory, name).empty()) return true;
  }
  return false;
}

Tokenizers read_ctranslate2_tokenizers(const std::string& directory, const NetworkSettings& network,
                                       const CTranslate2Tokens& tokens) {
  const auto read_file_of = [&](const std::string& side, const std::string& path) {
    const bool source = side == "source";
    return read_side(directory, {side, path, source ? network.source_vocabulary : network.target_vocabulary},
                     tokens);
  };
  for (const std::string name : {"shared_vocabulary", "vocabulary"}) {
    const std::string path = vocabulary_path(directory, name);
    if (path.empty()) continue;
    const auto target = read_file_of(name == "vocabulary" ? kText : "target", path);
    if (name == "vocabulary") return {target, target};
    const auto source = read_file_of("source", path);
    return {source->bytes() == target->bytes() ? target : source, target};
  }
  if (!has_ctranslate2_vocabulary(directory) && vocabulary_path(directory, "source_vocabulary").empty()) {
    throw InputError(concat(directory, " has no vocabulary; expected shared_vocabulary.json, or ",
                            "source_vocabulary.json and target_vocabulary.json, or vocabulary.json of a "
                            "language model; each may also end in .txt"));
  }
  const auto read = [&](const std::string& side) {
    const std::string path = vocabulary_path(directory, side + "_vocabulary");
    if (path.empty()) {
      throw InputError(concat(directory, " has no ", side, " vocabulary; expected ", side,
                              "_vocabulary.json or ", side, "_vocabulary.txt"));
    }
    return read_file_of(side, path);
  };
  return {read("source"), read("target")};
}

LanguageTokens read_ctranslate2_languages(const Tokenizers& tokenizers) {
  const std::vector<std::string> source = exported_pieces(*tokenizers.source);
  if (const LanguageTokens of_source = marian_languages(*tokenizers.source); !of_source.ids.empty())
    return of_source;
  return source == exported_pieces(*tokenizers.target) ? languages_of_pieces(source) : LanguageTokens{};
}

}  // namespace gloss
