// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// Shortened paths: the fewest last parts that keep all of them different.
std::vector<std::string> short_names(const std::vector<std::string>& paths);

}  // namespace gloss
