// SPDX-License-Identifier: Apache-2.0

#include "cli/options/shell_word.h"

#include <string_view>

namespace gloss {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kSpecial = " \t\"'`$\\|&;<>(){}[]*?!#~^";
  std::string text;
  for (const char c : word) {
    if (kSpecial.find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

}  // namespace gloss
