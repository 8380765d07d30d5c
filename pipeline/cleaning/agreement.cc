// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/agreement.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace gloss {
namespace {

/// The value of a decimal digit of any script, whose digits follow one another in Unicode.
char digit_value(const SideText& side, std::size_t place) {
  char32_t zero = side.characters[place];
  while (zero > 0 && side.characters[place] - zero < 9 && (character_class(zero - 1) & kDigit) != 0 &&
         character_class(zero - 1) >> 24 == character_class(zero) >> 24) {
    --zero;
  }
  return static_cast<char>('0' + (side.characters[place] - zero));
}

bool is_separator(char32_t c) {
  return std::u32string_view(U".,:'’٫٬·/").find(c) != std::u32string_view::npos;
}

/// A common block of two sequences.
struct Block {
  std::size_t a = 0, b = 0, size = 0;
};

/// The longest block within parts of both sequences; of several, the first in `a`, then in `b`.
Block longest_block(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> before(b.size() + 1), now(b.size() + 1);
  Block best;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      now[j + 1] = a[i] == b[j] ? before[j] + 1 : 0;
      if (now[j + 1] > best.size) best = {i + 1 - now[j + 1], j + 1 - now[j + 1], now[j + 1]};
    }
    std::swap(before, now);
  }
  return best;
}

std::size_t matching(std::u32string_view a, std::u32string_view b) {
  if (a.empty() || b.empty()) return 0;
  const Block block = longest_block(a, b);
  if (block.size == 0) return 0;
  return block.size + matching(a.substr(0, block.a), b.substr(0, block.b)) +
         matching(a.substr(block.a + block.size), b.substr(block.b + block.size));
}

}  // namespace

std::vector<std::string> numbers_of(const SideText& side) {
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < side.size();) {
    if (!side.has(i, kDigit)) {
      ++i;
      continue;
    }
    std::string number;
    while (i < side.size()) {
      if (side.has(i, kDigit)) {
        const char32_t c = side.characters[i];
        number += c <= U'9' ? static_cast<char>(c) : digit_value(side, i);
        ++i;
      } else if (is_separator(side.characters[i]) && i + 1 < side.size() && side.has(i + 1, kDigit)) {
        ++i;
      } else {
        break;
      }
    }
    numbers.push_back(std::move(number));
  }
  return numbers;
}

double padded_length_ratio(std::size_t a, std::size_t b) {
  constexpr std::size_t kPadding = 12;
  return static_cast<double>(std::max(a, b) + kPadding) / static_cast<double>(std::min(a, b) + kPadding);
}

bool is_finished(std::u32string_view text) {
  constexpr std::u32string_view kFinal = U".!?…。！？｡।؟۔:;", kClosing = U"\"'”’“»)]」』 ";
  const std::size_t last = text.find_last_not_of(kClosing);
  return last != text.npos && kFinal.find(text[last]) != kFinal.npos;
}

double matching_ratio(std::u32string_view a, std::u32string_view b) {
  if (a.empty() && b.empty()) return 1;
  return 2 * static_cast<double>(matching(a, b)) / static_cast<double>(a.size() + b.size());
}

std::size_t longest_common_substring(std::u32string_view a, std::u32string_view b) {
  return longest_block(a, b).size;
}

std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace gloss
