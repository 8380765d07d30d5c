// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// Numbers the different words of a text 0, 1, 2, ... in order of appearance.
class WordNumbering {
 public:
  /// The numbers of the words of a line, which white space of ASCII separates.
  std::vector<TokenId> numbers(std::string_view line);
  int size() const { return static_cast<int>(numbers_.size()); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  TokenId number(std::string_view word);

  std::unordered_map<std::string, TokenId, Hash, std::equal_to<>> numbers_;
};

}  // namespace gloss
