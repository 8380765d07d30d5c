#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gloss {

/// Writes `value` with the fewest digits that read back to the same number; with an exponent only if it is
/// tiny or huge.
std::string number_text(double value);
/// Writes `value` with `digits` after the point, as "%.*f" does.
std::string fixed_text(double value, int digits);

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

/// Joins texts and numbers into one string; the way messages are made.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

/// The number in 16 hexadecimal digits, as fingerprints are shown.
std::string hexadecimal(std::uint64_t number);

/// Joins `parts` with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Splits at every `separator`; n separators give n + 1 parts.
std::vector<std::string> split(std::string_view text, char separator);

/// True if only spaces, tabs and the other ASCII white space stand in `text`.
bool is_blank(std::string_view text);

/// `text` without the ASCII white space at both ends.
std::string_view trimmed(std::string_view text);

/// Reads a whole `text` as a number; false if anything is left over or it does not fit.
template <class Number>
bool parse_number(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau 1964).
int edit_distance(std::string_view a, std::string_view b);

/// The member of `known` that a mistyped or cut `word` most likely meant; empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace gloss
