// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gloss {

/// Parses one YAML document; the only file that includes yaml-cpp. Plain scalars are null, booleans, numbers
/// or texts as in the core schema of YAML 1.2, quoted ones are texts, and so are the keys of all maps. Throws
/// InputError, with `where` and the line, for a key that occurs twice, for anchors, aliases and tags, for
/// deep nesting, and for more than 32 MiB or 2 million line ends, commas, colons, dashes and brackets, so
/// that it takes no more memory than a large vocabulary.
nlohmann::json parse_yaml(std::string_view text, const std::string& where);
/// Reads a YAML file.
nlohmann::json read_yaml(const std::string& path);

/// The inverse of parse_yaml, in block style: maps of maps, lists, texts, booleans, numbers and null. Texts
/// are quoted, also as keys, unless every reader takes them for texts.
std::string yaml_text(const nlohmann::json&);

/// The version of yaml-cpp, for `gloss --version`.
std::string yaml_version();

}  // namespace gloss
