// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// A typed option or value in the spelling of gloss: lower case with hyphens for underscores, without the
/// hyphens before it.
std::string plain_name(const std::string& typed);

}  // namespace gloss
