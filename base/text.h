// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gloss {

/// Formats `value` with the fewest digits that parse back to the same number; uses an exponent only for tiny
/// and huge numbers.
std::string number_text(double value);
/// Formats `value` with `digits` decimals, as "%.*f" does.
std::string fixed_text(double value, int digits);

/// U+FEFF in UTF-8, which may begin a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

namespace detail {
inline void append(std::string& out, std::string_view part) { out += part; }
inline void append(std::string& out, const char* part) { out += part; }
inline void append(std::string& out, char part) { out += part; }
inline void append(std::string& out, bool part) { out += part ? "true" : "false"; }
template <class T>
requires std::is_arithmetic_v<T>
void append(std::string& out, T part) {
  if constexpr (std::is_integral_v<T>) {
    out += std::to_string(part);
  } else {
    out += number_text(static_cast<double>(part));
  }
}
}  // namespace detail

/// Concatenates texts and numbers; used for all messages.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

/// Formats a number with 16 hexadecimal digits, as for fingerprints.
std::string hexadecimal(std::uint64_t number);

/// Joins `parts` with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Splits at each `separator`; n separators give n + 1 parts.
std::vector<std::string> split(std::string_view text, char separator);

/// True if `text` is empty or all ASCII white space.
bool is_blank(std::string_view text);

/// `text` without leading and trailing ASCII white space.
std::string_view trimmed(std::string_view text);

/// Parses all of `text` as a number; false if it is malformed, has trailing characters or is out of range.
template <class Number>
bool parse_number(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// Minimum number of insertions, deletions, substitutions and swaps of adjacent characters that turn `a` into
/// `b` (Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

/// The member of `known` that a mistyped or abbreviated `word` most likely means; empty if none is close.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace gloss
