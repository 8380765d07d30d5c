#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gloss {

/// Reads a JSON file; throws InputError naming the file and place if it is missing, not JSON or nested too
/// deeply.
nlohmann::json read_json(const std::string& path);
/// Parses a text; `where` names it in the InputError.
nlohmann::json parse_json(std::string_view text, const std::string& where);
/// Indented JSON, as files have it. Bytes that are not UTF-8 are replaced by U+FFFD.
std::string json_text(const nlohmann::json& value);
/// Writes it in one step (AtomicFile).
void write_json(const std::string& path, const nlohmann::json& value);
/// One line without blanks, for JSON lines.
std::string json_line(const nlohmann::json& value);

}  // namespace gloss
