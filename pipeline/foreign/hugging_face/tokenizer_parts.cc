// SPDX-License-Identifier: Apache-2.0

#include "pipeline/foreign/hugging_face/tokenizer_parts.h"

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "pipeline/foreign/hugging_face/hugging_face_vocabulary.h"

namespace gloss {
namespace {

using nlohmann::json;

// A million pieces and as many merges, each a list of two.
constexpr JsonLimits kTokenizerJson{
    .bytes = 128 << 20, .values = 8'000'000, .string_bytes = 8 << 20, .depth = 16};

/// Two pieces: a text with a space, or a list.
std::pair<std::string, std::string> pair_of(const TokenizerParts& parts, const json& merge) {
  if (merge.is_string()) {
    const auto& text = merge.get_ref<const std::string&>();
    const std::size_t space = text.find(' ');
    if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos)
      return {text.substr(0, space), text.substr(space + 1)};
  } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  parts.refuse("model.merges", merge, "pairs of pieces");
}

}  // namespace

const json& json_member(const json& object, const char* name) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

std::vector<json> json_steps_of(const json& object, const char* list) {
  if (object.is_null()) return {};
  if (!json_has_type(object, "Sequence")) return {object};
  const json& steps = json_member(object, list);
  return steps.is_array() ? std::vector<json>(steps.begin(), steps.end()) : std::vector<json>{object};
}

bool json_has_type(const json& object, const char* type) { return json_member(object, "type") == type; }

bool json_is_or_missing(const json& object, const char* name, const json& value) {
  return json_member(object, name).is_null() || json_member(object, name) == value;
}

TokenizerParts::TokenizerParts(const std::string& path)
    : path_(path), file_(read_json(path, kTokenizerJson)) {}

std::vector<std::string> TokenizerParts::pieces() const {
  return pieces_by_id(json_member(model(), "vocab"), path_ + ": model.vocab");
}

std::vector<std::pair<std::string, std::string>> TokenizerParts::merges() const {
  const json& merges = json_member(model(), "merges");
  if (!merges.is_array()) refuse("model.merges", merges, "a list of pairs of pieces");
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const json& merge : merges) pairs.push_back(pair_of(*this, merge));
  return pairs;
}

void TokenizerParts::expect(const json& object, const std::string& part, const char* name,
                            const json& value) const {
  if (!json_is_or_missing(object, name, value))
    refuse(concat(part, ".", name), object.at(name), value.dump());
}

void TokenizerParts::refuse(const std::string& part, const json& found, const std::string& expected) const {
  throw InputError(concat(path_, ": ", shown(part), " is ", ascii_json_line(found).substr(0, 160),
                          "; expected ", expected, ", or the older files of the tokenizer"));
}

}  // namespace gloss
