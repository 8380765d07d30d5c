// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/html_nesting.h"

#include <algorithm>
#include <set>

#include "pipeline/documents/html_elements.h"

namespace gloss {
namespace {

bool may_lack_end(const std::string& name) {
  static const std::set<std::string> kNames{"body", "caption",  "colgroup", "dd",    "dt", "head",  "html",
                                            "li",   "optgroup", "option",   "p",     "rb", "rp",    "rt",
                                            "rtc",  "tbody",    "td",       "tfoot", "th", "thead", "tr"};
  return is_void_element(name) || kNames.contains(name);
}

}  // namespace

std::string lower_ascii(std::string_view text) {
  std::string result(text);
  for (char& byte : result) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  return result;
}

std::string tag_name(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t\n\r\f/>"), text.size());
  constexpr std::size_t kLongest = 32;
  return lower_ascii(text.substr(0, std::min(end, kLongest)));
}

ByteRange next_markup(std::string_view text, std::size_t at) {
  for (std::size_t begin = text.find('<', at); begin != std::string_view::npos;
       begin = text.find('<', begin + 1)) {
    if (begin + 1 == text.size()) break;
    const char next = text[begin + 1];
    if (!is_letter_byte(next) && next != '/' && next != '!' && next != '?') continue;
    const std::size_t end = text.find('>', begin);
    return {begin, end == std::string_view::npos ? text.size() : end + 1};
  }
  return {text.size(), text.size()};
}

std::size_t too_deep(std::string_view document, std::size_t most) {
  std::size_t open = 0;
  for (std::size_t at = document.find('<'); at < document.size(); at = document.find('<', at + 1)) {
    const bool closes = document.substr(at + 1).starts_with('/');
    const std::size_t name = at + (closes ? 2 : 1);
    if (name >= document.size() || !is_letter_byte(document[name])) continue;
    if (may_lack_end(tag_name(document.substr(name)))) continue;
    if (!closes) {
      if (++open > most) return at;
    } else if (open > 0) {
      --open;
    }
  }
  return document.size();
}

}  // namespace gloss
