// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/listener.h"

namespace gloss {

/// Learns byte-level BPE merges: the texts of at most `count` merged pieces in order, each a pair of bytes or
/// of earlier pieces. Merges stay within words: text is split at spaces (which belong to the next word),
/// between letters, numbers and other characters, and around `symbols`; each sentence starts with a space.
/// The most frequent pair is merged first; among equals, the pair of the oldest pieces. Pairs that occur only
/// once are not merged.
std::vector<std::string> learn_byte_pairs(const std::vector<std::string>& sentences, std::size_t count,
                                          const std::vector<std::string>& symbols, Listener&);

}  // namespace gloss
