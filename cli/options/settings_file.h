// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// The lines `name = value` of a settings file, whose names may be written with underscores, as in
/// config.json: here they have hyphens. Throws UsageError.
std::vector<std::string> read_settings_file(const std::string& path);

}  // namespace gloss
