// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/symbols.h"

#include <set>

#include "base/error.h"
#include "base/shown.h"
#include "tokenizer/model_file.h"

namespace gloss {

void check_symbols(const std::vector<std::string>& symbols) {
  std::set<std::string> seen;
  for (const std::string& symbol : symbols) {
    const auto refuse = [&](std::string_view why) {
      throw UsageError(concat("the symbol ", shown(symbol), " ", why));
    };
    if (symbol.empty()) refuse("is empty");
    if (!is_valid_utf8(symbol)) refuse("is not UTF-8");
    if (symbol.find_first_of(std::string_view(" \t\n\0", 4)) != std::string::npos) {
      refuse("contains a space, tab, newline or NUL");
    }
    if (symbol.find(kPieceSpace) != std::string::npos) {
      refuse("contains U+2581, which represents a space");
    }
    if (symbol == "<unk>" || symbol == "<s>" || symbol == "</s>") refuse("is already a special piece");
    if (!seen.insert(symbol).second) refuse("is given twice");
  }
}

}  // namespace gloss
