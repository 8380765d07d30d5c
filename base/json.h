// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gloss {

/// The most that a JSON text may contain. It is refused where it exceeds a limit, before it costs more
/// memory.
struct JsonLimits {
  std::size_t bytes;         ///< of the whole text
  std::size_t values;        ///< texts, numbers, objects and so on, each also if it is part of another one
  std::size_t string_bytes;  ///< of a text or the name of a member
  std::size_t depth;         ///< number of objects and arrays that contain one another
};
/// Settings and states: config.json, training.json, time.json.
inline constexpr JsonLimits kSettingsJson{
    .bytes = 16 << 20, .values = 500'000, .string_bytes = 1 << 20, .depth = 32};
/// The header of a safetensors file: about 200,000 tensors.
inline constexpr JsonLimits kTensorsJson{
    .bytes = 100 << 20, .values = 2'000'000, .string_bytes = 1 << 20, .depth = 4};
/// A line of a training log or of another file.
inline constexpr JsonLimits kLineJson{
    .bytes = 1 << 20, .values = 10'000, .string_bytes = 1 << 20, .depth = 16};

/// Reads a JSON file. Throws InputError if it is missing, or for the reasons of `parse_json`.
nlohmann::json read_json(const std::string& path, const JsonLimits& = kSettingsJson);
/// Parses a text in time proportional to its size. Throws InputError, with `where` and the line and column,
/// if it is invalid or exceeds a limit, if an object has two members of one name, or if anything but white
/// space follows the value.
nlohmann::json parse_json(std::string_view text, const std::string& where, const JsonLimits& = kSettingsJson);
/// Indented JSON for files. Bytes that are not UTF-8 are replaced by U+FFFD.
std::string json_text(const nlohmann::json& value);
/// Writes a JSON file atomically (AtomicFile).
void write_json(const std::string& path, const nlohmann::json& value);
/// JSON on one line without spaces, for JSON lines.
std::string json_line(const nlohmann::json& value);
/// The same in ASCII: text from files that are not trusted, whose control characters a terminal would obey.
std::string ascii_json_line(const nlohmann::json& value);

}  // namespace gloss
