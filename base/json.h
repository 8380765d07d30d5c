// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gloss {

/// Reads a JSON file; throws InputError that names the file and the place if it is missing, invalid or nested
/// too deeply.
nlohmann::json read_json(const std::string& path);
/// Parses a text; the InputError calls it `where`.
nlohmann::json parse_json(std::string_view text, const std::string& where);
/// Indented JSON for files. Bytes that are not UTF-8 are replaced by U+FFFD.
std::string json_text(const nlohmann::json& value);
/// Writes a JSON file atomically (AtomicFile).
void write_json(const std::string& path, const nlohmann::json& value);
/// JSON on one line without spaces, for JSON lines.
std::string json_line(const nlohmann::json& value);

}  // namespace gloss
