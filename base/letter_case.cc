// SPDX-License-Identifier: Apache-2.0

#include "base/letter_case.h"

namespace gloss {

std::string lower_case(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

}  // namespace gloss
