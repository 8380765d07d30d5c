// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/shown.h"
#include "base/terminal_text.h"

namespace gloss {
namespace {

using nlohmann::json;

/// An iterator that reports how far the parser has read, since handlers get no position.
struct CountedBytes {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** latest;

  reference operator*() const { return *at; }
  CountedBytes& operator++() {
    *latest = ++at;
    return *this;
  }
  bool operator==(const CountedBytes& other) const { return at == other.at; }
};

/// Builds a value from the events of the parser and enforces the limits. The library's own builder rescans
/// whole arrays when it is combined with a callback.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(std::string_view text, const std::string& where, const JsonLimits& limits)
      : text_(text), where_(where), limits_(limits), latest_(text.data()) {
    if (text.size() > limits.bytes) {
      throw InputError(
          concat(where, " has ", text.size(), " bytes of JSON; expected at most ", limits.bytes));
    }
    // The parser takes a NUL for the end of the text.
    const std::size_t nul = text.find('\0');
    if (nul != std::string_view::npos) refuse(nul, "found a NUL byte, which JSON does not allow");
  }

  json build() {
    const char* const end = text_.data() + text_.size();
    json::sax_parse(CountedBytes{text_.data(), &latest_}, CountedBytes{end, &latest_}, this);
    return std::move(root_);
  }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(json::number_integer_t value) override { return put(value); }
  bool number_unsigned(json::number_unsigned_t value) override { return put(value); }
  bool number_float(json::number_float_t value, const std::string&) override { return put(value); }
  bool string(std::string& value) override {
    expect_short(value);
    return put(std::move(value));
  }
  bool binary(json::binary_t&) override { return false; }  // does not occur in text
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    expect_short(name);
    const auto [member, added] = open_.back()->emplace(name, nullptr);
    if (!added) refuse(place(), concat("the member ", shown(name), " occurs twice in an object"));
    member_ = &*member;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token, const json::exception& error) override {
    constexpr int kOverflow = 406;
    if (error.id == kOverflow) refuse(place(), concat("the number ", shown(token), " is too large"));
    if (text_.empty()) refuse(0, "the text is empty; expected JSON");
    if (position > text_.size()) {
      refuse(text_.size(), "the JSON text ends too early: it is truncated, damaged or not JSON");
    }
    // The token that the parser reports begins with earlier ones.
    const std::size_t offset = position - std::min<std::size_t>(position, 1);
    const std::string_view rest = text_.substr(offset);
    refuse(offset, concat("found ", shown(terminal_text(rest.substr(0, rest.find('\n')))),
                          " where JSON does not allow it"));
  }

 private:
  /// Adds a value to the innermost object or array.
  bool put(json value) {
    add(std::move(value));
    return true;
  }
  json& add(json value) {
    if (++values_ > limits_.values) {
      refuse(place(), concat("more than ", limits_.values, " values; expected fewer in a file of this kind"));
    }
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return *member_ = std::move(value);
    open_.back()->push_back(std::move(value));
    return open_.back()->back();
  }
  bool open(json value) {
    if (open_.size() == limits_.depth) {
      refuse(place(), concat("nested too deeply; expected at most ", limits_.depth, " levels"));
    }
    open_.push_back(&add(std::move(value)));  // stays in place: its parent only grows after it is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  void expect_short(const std::string& text) const {
    if (text.size() <= limits_.string_bytes) return;
    refuse(place(), concat("a text of ", text.size(), " bytes, ", shown(text), "; expected at most ",
                           limits_.string_bytes));
  }
  /// The offset of the byte that the parser read last.
  std::size_t place() const {
    const auto read = static_cast<std::size_t>(latest_ - text_.data());
    return read - std::min<std::size_t>(read, 1);
  }
  [[noreturn]] void refuse(std::size_t offset, const std::string& why) const {
    const std::string_view before = text_.substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t column = offset - (before.rfind('\n') + 1) + 1;
    const bool lines = text_.find('\n') != std::string_view::npos;  // else the caller names the line, if any
    throw InputError(
        concat(where_, ": ", lines ? concat("line ", line, ", ") : "", "column ", column, ": ", why));
  }

  std::string_view text_;
  const std::string& where_;
  const JsonLimits& limits_;
  const char* latest_;
  json root_;
  std::vector<json*> open_;  // objects and arrays that are not closed yet
  json* member_ = nullptr;   // of the innermost object: the value to set next
  std::size_t values_ = 0;
};

}  // namespace

json parse_json(std::string_view text, const std::string& where, const JsonLimits& limits) {
  return Builder(text, where, limits).build();
}

json read_json(const std::string& path, const JsonLimits& limits) {
  std::error_code error;  // if the size is unknown, reading reports why
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > limits.bytes) {
    throw InputError(concat(path, " has ", size, " bytes of JSON; expected at most ", limits.bytes));
  }
  return parse_json(read_file(path), path, limits);
}

std::string json_text(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void write_json(const std::string& path, const json& value) { write_file(path, json_text(value)); }

std::string json_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string ascii_json_line(const json& value) {
  std::string line;
  for (const char c : value.dump(-1, ' ', true, json::error_handler_t::replace)) {
    line += c == '\x7f' ? std::string("\\u007f") : std::string(1, c);
  }
  return line;
}

}  // namespace gloss
