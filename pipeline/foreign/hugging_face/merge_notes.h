// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "tokenizer/subword.h"

namespace gloss {

/// A note if many pieces of a byte-level BPE come from no merge: a file of merges was cut, perhaps. Empty for
/// other tokenizers.
std::vector<std::string> notes_on_merges(const Subwords&, const std::string& directory);

}  // namespace gloss
