#pragma once

#include <string>
#include <vector>

namespace gloss {

/// Paths as short as they can be told apart by: the fewest last parts that leave them different.
std::vector<std::string> short_names(const std::vector<std::string>& paths);

}  // namespace gloss
