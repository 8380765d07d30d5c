#pragma once

#include <string>
#include <vector>

#include "base/listener.h"

namespace gloss {

/// What the bytes of words are merged to, in order: at most `count` texts, each of two that are there before
/// it. Words are cut at spaces, which belong to the word behind them, between letters, numbers and all else,
/// and around `symbols`; each sentence begins with a space. The most frequent pair is merged first, of equal
/// ones that which could be merged first; pairs that occur once are not.
std::vector<std::string> learn_byte_pairs(const std::vector<std::string>& sentences, std::size_t count,
                                          const std::vector<std::string>& symbols, Listener&);

}  // namespace gloss
