// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>
#include <vector>

namespace gloss {

/// Changes the shares of a sentence, [targets, sources], where the words themselves show what belongs
/// together: words that both sides have once, if the shares do not speak against it, and the marks at their
/// ends.
void link_same_words(const std::vector<std::string_view>& sources,
                     const std::vector<std::string_view>& targets, std::vector<float>& shares);

}  // namespace gloss
