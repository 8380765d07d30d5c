// SPDX-License-Identifier: Apache-2.0

#include "model/formats/yaml_scalars.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "base/error.h"

namespace gloss {
namespace {

using nlohmann::json;

template <std::size_t Count>
bool is_one_of(std::string_view text, const std::array<std::string_view, Count>& words) {
  return std::ranges::count(words, text) > 0;
}

bool all_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

/// A number in base 8, 10 or 16 that fits into 64 bits.
std::optional<json> whole_number(std::string_view text) {
  int base = 10;
  std::string_view digits = text;
  if (text.starts_with("0o") || text.starts_with("0x")) {
    base = text[1] == 'o' ? 8 : 16;
    digits.remove_prefix(2);
  } else if (text.starts_with('+')) {
    digits.remove_prefix(1);
  }
  if (digits.starts_with('-') && (base != 10 || digits.size() != text.size())) return std::nullopt;
  const auto parsed = [&]<class Number>(Number number) -> std::optional<json> {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
  };
  const std::optional<json> number = parsed(std::int64_t{});
  return number ? number : parsed(std::uint64_t{});
}

/// A number with a fraction or an exponent.
std::optional<json> fraction(std::string_view text) {
  std::string_view size = text;
  const bool negative = size.starts_with('-');
  if (negative || size.starts_with('+')) size.remove_prefix(1);
  if (is_one_of<3>(size, {".inf", ".Inf", ".INF"})) {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (is_one_of<3>(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  // Refuses what C++ accepts besides, such as "inf" and "nan".
  const std::string_view mantissa = size.substr(0, size.find_first_of("eE"));
  if (!all_of(mantissa, ".0123456789") || mantissa == ".") return std::nullopt;
  double number;
  if (!parse_number(size, number)) return std::nullopt;
  return negative ? -number : number;
}

}  // namespace

json yaml_plain_value(const std::string& text) {
  if (is_one_of<5>(text, {"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is_one_of<3>(text, {"true", "True", "TRUE"})) return true;
  if (is_one_of<3>(text, {"false", "False", "FALSE"})) return false;
  if (text.find_first_of("0123456789nNiI") > 2) return text;  // no number
  if (const std::optional<json> number = whole_number(text)) return *number;
  if (const std::optional<json> number = fraction(text)) return *number;
  return text;
}

}  // namespace gloss
