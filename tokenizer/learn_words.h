// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gloss {

/// The most frequent words and punctuation marks of sentences (for_each_basic_word, in lower case), at most
/// `most`; equally frequent ones in the order of their bytes.
std::vector<std::string> most_frequent_words(std::span<const std::string> sentences, std::size_t most);

}  // namespace gloss
