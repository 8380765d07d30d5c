// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// `word` as a shell reads it: spaces and characters that mean something to a shell follow a backslash.
std::string shell_word(const std::string& word);

}  // namespace gloss
