// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/urls.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gloss {
namespace {

bool is_letter_or_digit(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9');
}
bool is_letter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }

/// True if a point is followed by more than white space and the end, as in all domains.
bool may_have_domain(std::string_view text) {
  for (std::size_t at = text.find('.'); at != text.npos && at + 1 < text.size();
       at = text.find('.', at + 1)) {
    if (text[at + 1] != ' ' && text[at + 1] != '.') return true;
  }
  return false;
}

/// The end of a domain that begins at `at`: labels with points between, the last of two letters or more. The
/// same place: there is none. A capital after a point ends a sentence rather than a label.
std::size_t domain_end(std::u32string_view text, std::size_t at) {
  std::size_t end = at, labels = 0, label = at;
  for (std::size_t i = at; i <= text.size(); ++i) {
    const char32_t c = i < text.size() ? text[i] : 0;
    if (is_letter_or_digit(c) || c == U'-') continue;
    if (i == label) break;
    ++labels;
    const bool top = i - label >= 2 && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(label),
                                                   text.begin() + static_cast<std::ptrdiff_t>(i), is_letter);
    const bool sentence = labels > 1 && text[label] >= U'A' && text[label] <= U'Z' && label >= 2 &&
                          text[label - 2] >= U'a' && text[label - 2] <= U'z';
    if (sentence) break;
    if (labels > 1 && top) end = i;
    if (c != U'.') break;
    label = i + 1;
  }
  return end;
}

/// The word from `begin` on without quotes and brackets before it and punctuation after it.
TextPart bare(std::u32string_view text, TextPart word) {
  constexpr std::u32string_view kBefore = U"\"'([{<„“‚‘«»*", kAfter = U"\"'.,;:!?)]}>”“’«»…*";
  while (word.begin < word.end && kBefore.find(text[word.begin]) != kBefore.npos) ++word.begin;
  while (word.end > word.begin && kAfter.find(text[word.end - 1]) != kAfter.npos) {
    const auto part = text.substr(word.begin, word.size());
    if (text[word.end - 1] == U')' && std::ranges::count(part, U'(') >= std::ranges::count(part, U')')) break;
    --word.end;
  }
  return word;
}

/// True if the last label of a name without scheme and path is one of the internet: of two letters, or
/// common.
bool has_top_level(std::u32string_view domain) {
  static constexpr auto kCommon =
      std::to_array<std::u32string_view>({U"com", U"org", U"net", U"edu", U"gov", U"int", U"info", U"biz",
                                          U"example", U"test", U"museum", U"online", U"shop"});
  if (domain.starts_with(U"www.")) return true;
  const std::size_t point = domain.rfind(U'.');
  const std::u32string_view last = domain.substr(point + 1);
  const std::size_t before = point - std::min(point, domain.rfind(U'.', point - 1) + 1);
  return std::ranges::count(kCommon, last) > 0 || (last.size() == 2 && before >= 3);
}

/// Where the domain of a URL begins: after a scheme, or at the begin.
std::size_t after_scheme(std::u32string_view word) {
  std::size_t at = 0;
  while (at < word.size() && (is_letter_or_digit(word[at]) || word[at] == U'+' || word[at] == U'-')) ++at;
  return at > 0 && word.substr(at).starts_with(U"://") ? at + 3 : 0;
}

}  // namespace

std::vector<TextPart> urls_of(const SideText& side) {
  std::vector<TextPart> found;
  if (!may_have_domain(side.bytes) && side.bytes.find("://") == std::string_view::npos) return found;
  for (const TextPart& word : side.words) {
    const TextPart place = bare(side.characters, word);
    const std::u32string_view text = side.part(place);
    const std::size_t domain = after_scheme(text);
    const std::size_t end = domain_end(text, domain);
    if (domain == 0) {
      const bool path = end < text.size() && std::u32string_view(U"/:?#").find(text[end]) != text.npos;
      if (end == 0 || (!path && (end < text.size() || !has_top_level(text)))) continue;
    }
    found.push_back(place);
  }
  return found;
}

std::vector<TextPart> mail_addresses_of(const SideText& side) {
  std::vector<TextPart> found;
  if (!side.has_byte('@')) return found;
  for (const TextPart& word : side.words) {
    const TextPart place = bare(side.characters, word);
    const std::u32string_view text = side.part(place);
    const std::size_t at = text.find(U'@');
    if (at == text.npos || at == 0 || domain_end(text, at + 1) != text.size()) continue;
    found.push_back(place);
  }
  return found;
}

double share_of_urls(const SideText& side) {
  std::size_t characters = 0;
  for (const TextPart& url : urls_of(side)) characters += url.size();
  return side.size() == 0 ? 0 : static_cast<double>(characters) / static_cast<double>(side.size());
}

}  // namespace gloss
