// SPDX-License-Identifier: Apache-2.0

#include "model/formats/yaml.h"

#include <yaml-cpp/emitter.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/files.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = 64 << 20;
constexpr std::size_t kMostLevels = 32;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

template <std::size_t Count>
bool is_one_of(std::string_view text, const std::array<std::string_view, Count>& words) {
  return std::ranges::count(words, text) > 0;
}

bool all_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// A number in base 8, 10 or 16 that fits into 64 bits.
std::optional<json> whole_number(std::string_view text) {
  int base = 10;
  std::string_view digits = text;
  if (text.starts_with("0o") || text.starts_with("0x")) {
    base = text[1] == 'o' ? 8 : 16;
    digits.remove_prefix(2);
  } else if (text.starts_with('+')) {
    digits.remove_prefix(1);
  }
  if (digits.starts_with('-') && (base != 10 || digits.size() != text.size())) return std::nullopt;
  const auto parsed = [&]<class Number>(Number number) -> std::optional<json> {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
  };
  const std::optional<json> number = parsed(std::int64_t{});
  return number ? number : parsed(std::uint64_t{});
}

/// A number with a fraction or an exponent.
std::optional<json> fraction(std::string_view text) {
  std::string_view size = text;
  const bool negative = size.starts_with('-');
  if (negative || size.starts_with('+')) size.remove_prefix(1);
  if (is_one_of<3>(size, {".inf", ".Inf", ".INF"})) {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (is_one_of<3>(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  // Refuses what C++ accepts besides, such as "inf" and "nan".
  const std::string_view mantissa = size.substr(0, size.find_first_of("eE"));
  if (!all_of(mantissa, ".0123456789") || mantissa == ".") return std::nullopt;
  double number;
  if (!parse_number(size, number)) return std::nullopt;
  return negative ? -number : number;
}

/// The value of a plain scalar in the core schema.
json plain_value(const std::string& text) {
  if (is_one_of<5>(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of<3>(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of<3>(text, {"false", "False", "FALSE"})) return false;
  if (text.find_first_of("0123456789nNiI") > 2) return text;  // no number
  if (const std::optional<json> number = whole_number(text)) return *number;
  if (const std::optional<json> number = fraction(text)) return *number;
  return text;
}

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
    add(mark, plain && !wants_key() ? plain_value(value) : json(value));
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
  if (text.size() < 2 || text.find_first_of("0123456789_-./") == 0 || !all_of(text, kCharacters))
    return false;
  std::string small;
  for (const char c : text) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return !is_one_of<7>(small, {"true", "false", "yes", "no", "on", "off", "null"});
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

}  // namespace

json parse_yaml(std::string_view text, const std::string& where) {
  if (text.size() > kMostBytes) {
    throw InputError(concat(where, " has ", text.size(), " bytes of YAML; expected at most ", kMostBytes));
  }
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

json read_yaml(const std::string& path) { return parse_yaml(read_file(path), path); }

std::string yaml_text(const json& value) {
  YAML::Emitter out;
  emit(out, value);
  expects(out.good(), "YAML: ", out.GetLastError());
  return std::string(out.c_str(), out.size()) + "\n";
}

std::string yaml_version() { return "yaml-cpp " GLOSS_YAML_VERSION; }

}  // namespace gloss
