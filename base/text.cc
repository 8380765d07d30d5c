// SPDX-License-Identifier: Apache-2.0

#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/index.h"

namespace gloss {

std::string number_text(double value) {
  char buffer[64];
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-5 && size < 1e15);
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value,
                                          plain ? std::chars_format::fixed : std::chars_format::general);
  return error == std::errc() ? std::string(buffer, end) : std::string("?");
}

std::string fixed_text(double value, int digits) {
  const int size = std::snprintf(nullptr, 0, "%.*f", digits, value);
  std::string out(index(size) + 1, '\0');
  std::snprintf(out.data(), out.size(), "%.*f", digits, value);
  out.pop_back();
  return out;
}

std::string hexadecimal(std::uint64_t number) {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(number >> shift) & 15];
  return digits;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

constexpr std::string_view kWhiteSpace = " \t\r\v\f";

bool is_blank(std::string_view text) { return text.find_first_not_of(kWhiteSpace) == std::string_view::npos; }

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        now[j] = std::min(now[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kTelling = 3;  // minimum length of a prefix, not counting hyphens of options
  if (word.size() - std::min(word.find_first_not_of('-'), word.size()) >= kTelling) {
    const auto longer =
        std::ranges::find_if(known, [&](const auto& known_word) { return known_word.starts_with(word); });
    if (longer != known.end()) return *longer;
  }
  std::string best;
  int best_distance = static_cast<int>(std::max<std::size_t>(2, word.size() / 3)) + 1;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace gloss
