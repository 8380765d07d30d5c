// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace gloss {

/// Throws UsageError for invalid user-defined symbols: empty, with spaces or newlines, special pieces, given
/// twice.
void check_symbols(const std::vector<std::string>&);

/// Finds user-defined symbols in text; the longest wins.
class Symbols {
 public:
  explicit Symbols(std::vector<std::string> symbols) : symbols_(std::move(symbols)) {
    std::ranges::stable_sort(symbols_, std::greater(), &std::string::size);
  }

  /// Calls `take` with each part of the text between symbols.
  template <class Take>
  void for_each_rest(std::string_view text, const Take& take) const {
    std::size_t end = 0;
    while (end < text.size()) {
      const auto found = std::ranges::find_if(
          symbols_, [&](const std::string& symbol) { return text.substr(end).starts_with(symbol); });
      if (found == symbols_.end()) {
        end += character_size(text.substr(end));
        continue;
      }
      if (end > 0) take(text.substr(0, end));
      text.remove_prefix(end + found->size());
      end = 0;
    }
    if (end > 0) take(text);
  }

 private:
  std::vector<std::string> symbols_;
};

}  // namespace gloss
