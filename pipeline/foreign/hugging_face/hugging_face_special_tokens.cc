// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/hugging_face_special_tokens.h"

#include "base/error.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/shown.h"
#include "base/text.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr int kMostPieceIds = 4'000'000;

/// A file of settings as an object; empty if it is missing.
json optional_object(const std::string& path) {
  if (!path_exists(path)) return json::object();
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
      throw InputError(concat(path_, ": ", shown(member), " is ", ascii_json_line(token).substr(0, 80),
                              "; expected a token: text, or an object with 'content'"));
    }
    auto text = content.get<std::string>();
    if (text.empty())
      throw InputError(concat(path_, ": ", shown(member), " has an empty token; expected text"));
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
      throw InputError(concat(path_, ": ", shown(additional), " is no list of tokens"));
    std::vector<std::string> tokens;
    for (const json& token : object.at(additional)) tokens.push_back(read(token, additional));
    if (!tokens.empty()) to_.additional = std::move(tokens);
  }

  /// `id`: any value.
  void add(const json& id, const std::string& token) {
    if (!id.is_number_integer() || id < 0 || id >= kMostPieceIds) {
      throw InputError(concat(path_, ": the token ", shown(token), " has the id ",
                              ascii_json_line(id).substr(0, 80), "; expected 0 to ", kMostPieceIds - 1));
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

}  // namespace gloss
