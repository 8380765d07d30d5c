// SPDX-License-Identifier: Apache-2.0

#include "model/formats/yaml.h"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "model/formats/yaml_scalars.h"

namespace gloss {
namespace {

using nlohmann::json;

// Beyond any vocabulary. The parser needs up to 300 bytes of memory for each mark.
constexpr std::size_t kMostBytes = 32 << 20;
constexpr std::ptrdiff_t kMostMarks = 2'000'000;
constexpr std::size_t kMostLevels = 32;

/// Builds the value from the events of the parser.
class Builder : public YAML::EventHandler {
 public:
  Builder(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  const json& root() const { return root_; }
  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& why) const {
    throw InputError(concat(where_, ": line ", mark.line + 1, ", column ", mark.column + 1, ": ", why));
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) refuse(mark, "a second document; expected one");
    started_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    expect_plain(mark, "?", anchor);
    if (!wants_key()) return add(mark, nullptr);
    // The parser keeps the word of a null to itself, which is a key here: "~" or "null" or nothing.
    const std::string_view rest =
        text_.substr(std::min(text_.size(), static_cast<std::size_t>(std::max(mark.pos, 0))));
    std::string key;
    for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
      if (rest.starts_with(word)) key = word;
    }
    add(mark, std::move(key));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias; expected each value to be written out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const bool plain = tag == "?" || tag.empty();
    expect_plain(mark, plain ? "?" : tag, anchor);
    add(mark, plain && !wants_key() ? yaml_plain_value(value) : json(value));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    expect_plain(mark, tag, anchor);
    open(mark, json::array());
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    expect_plain(mark, tag, anchor);
    open(mark, json::object());
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  /// An array or object that is not closed yet.
  struct Open {
    json* value;
    json* member = nullptr;  // of an object: the value of the latest key, until it is set
  };

  bool wants_key() const {
    return !open_.empty() && open_.back().value->is_object() && open_.back().member == nullptr;
  }
  void expect_plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) refuse(mark, "an anchor; expected each value to be written out");
    if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, concat("the tag '", tag.substr(0, 80), "'; expected plain values"));
    }
  }
  void open(const YAML::Mark& mark, json value) {
    if (wants_key()) refuse(mark, "a map or list as a key; expected a text");
    if (open_.size() == kMostLevels) {
      refuse(mark, concat("nested too deeply; expected at most ", kMostLevels, " levels"));
    }
    open_.push_back({&put(std::move(value))});
  }
  void add(const YAML::Mark& mark, json value) {
    if (!wants_key()) return static_cast<void>(put(std::move(value)));
    Open& map = open_.back();
    const auto [member, added] = map.value->emplace(value.get_ref<const std::string&>(), nullptr);
    if (!added) refuse(mark, concat("the key '", member.key().substr(0, 80), "' occurs twice in a map"));
    map.member = &*member;
  }
  json& put(json value) {
    if (open_.empty()) return root_ = std::move(value);
    Open& parent = open_.back();
    if (parent.value->is_array()) {
      parent.value->push_back(std::move(value));
      return parent.value->back();
    }
    json& member = *parent.member;
    parent.member = nullptr;
    return member = std::move(value);
  }

  std::string_view text_;
  const std::string& where_;
  bool started_ = false;
  json root_;
  std::vector<Open> open_;
};

/// True for words such as dim-emb, which no version of YAML takes for anything but a text.
bool is_plain_text(const std::string& text) {
  constexpr std::string_view kCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  if (text.size() < 2 || text.find_first_of("0123456789_-./") == 0 ||
      text.find_first_not_of(kCharacters) != std::string::npos)
    return false;
  std::string small;
  for (const char c : text) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  constexpr std::array<std::string_view, 7> kWords{"true", "false", "yes", "no", "on", "off", "null"};
  return std::ranges::find(kWords, small) == kWords.end();
}

void emit(YAML::Emitter& out, const json& value);

void emit_text(YAML::Emitter& out, const std::string& text) {
  if (!is_plain_text(text)) out << YAML::DoubleQuoted;
  out << text;
}

void emit_map(YAML::Emitter& out, const json& map) {
  out << YAML::BeginMap;
  for (const auto& [key, value] : map.items()) {
    out << YAML::Key;
    emit_text(out, key);
    out << YAML::Value;
    emit(out, value);
  }
  out << YAML::EndMap;
}

void emit(YAML::Emitter& out, const json& value) {
  if (value.is_object()) return emit_map(out, value);
  if (value.is_string()) return emit_text(out, value.get_ref<const std::string&>());
  if (value.is_null()) {
    out << YAML::Null;
    return;
  }
  if (!value.is_array()) {
    out << value.dump();  // as in JSON
    return;
  }
  out << YAML::BeginSeq;
  for (const json& item : value) emit(out, item);
  out << YAML::EndSeq;
}

void expect_size(std::uintmax_t bytes, const std::string& where) {
  if (bytes <= kMostBytes) return;
  throw InputError(concat(where, " has ", bytes, " bytes of YAML; expected at most ", kMostBytes));
}

/// Refuses many values before the parser takes memory for them: one of these characters is beside each.
void expect_few_marks(std::string_view text, const std::string& where) {
  constexpr std::string_view kMarks = "\n\r,:?-[]{}";
  const auto marks =
      std::ranges::count_if(text, [&](char c) { return kMarks.find(c) != std::string_view::npos; });
  if (marks <= kMostMarks) return;
  throw InputError(concat(where, " has ", marks, " line ends, commas, colons, dashes and brackets; expected ",
                          "at most ", kMostMarks, ", as a vocabulary of Marian has"));
}

}  // namespace

json parse_yaml(std::string_view text, const std::string& where) {
  expect_size(text.size(), where);
  expect_few_marks(text, where);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  // YAML does not allow them, and the parser takes one for the end of the text.
  const auto control = [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
  };
  const auto found = std::ranges::find_if(text, control);
  if (found != text.end()) {
    throw InputError(concat(where, ": line ", std::count(text.begin(), found, '\n') + 1,
                            ": found a control character, which YAML does not allow"));
  }
  Builder builder(text, where);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    builder.refuse(error.mark, error.msg);
  }
  return builder.root();
}

json read_yaml(const std::string& path) {
  std::error_code error;  // if the size is unknown, reading reports why
  const auto size = std::filesystem::file_size(path, error);
  if (!error) expect_size(size, path);
  return parse_yaml(read_file(path), path);
}

std::string yaml_text(const json& value) {
  YAML::Emitter out;
  emit(out, value);
  expects(out.good(), "YAML: ", out.GetLastError());
  return std::string(out.c_str(), out.size()) + "\n";
}

std::string yaml_version() { return "yaml-cpp " GLOSS_YAML_VERSION; }

}  // namespace gloss
