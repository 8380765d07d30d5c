// SPDX-License-Identifier: Apache-2.0

#include "base/json.h"

#include "base/error.h"
#include "base/files.h"

namespace gloss {

using nlohmann::json;

json parse_json(std::string_view text, const std::string& where) {
  constexpr int kDeepest = 100;  // a hostile file must not exhaust the stack
  try {
    return json::parse(text.begin(), text.end(), [&](int depth, json::parse_event_t, json&) {
      if (depth > kDeepest)
        throw InputError(concat(where, " is nested too deeply; expected at most ", kDeepest, " levels"));
      return true;
    });
  } catch (const json::exception& error) {
    throw InputError(concat(where, " is not valid JSON: ", error.what()));
  }
}

json read_json(const std::string& path) { return parse_json(read_file(path), path); }

std::string json_text(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void write_json(const std::string& path, const json& value) { write_file(path, json_text(value)); }

std::string json_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace gloss
