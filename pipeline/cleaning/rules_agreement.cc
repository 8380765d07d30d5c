// SPDX-License-Identifier: Apache-2.0
// Rules about what both sides of a pair should, or should not, have in common.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "base/error.h"
#include "pipeline/cleaning/agreement.h"
#include "pipeline/cleaning/rule.h"
#include "pipeline/cleaning/urls.h"
#include "tokenizer/characters.h"
#include "tokenizer/pattern.h"

namespace gloss {
namespace {

bool ends_sentence(char32_t c) { return c == U'.' || c == U'?' || c == U'!' || c == U'…'; }
double terminal_punctuation(const PairText& pair, const RuleSetup&) {
  const auto source = std::ranges::count_if(pair.source.characters, ends_sentence),
             target = std::ranges::count_if(pair.target.characters, ends_sentence);
  const auto more = std::abs(source - target) + std::max<std::ptrdiff_t>(0, source - 1) +
                    std::max<std::ptrdiff_t>(0, target - 1);
  return -std::log(static_cast<double>(more) + 1);
}

/// The ends of sentences within a text: punctuation, then a space and a capital or a letter without case.
std::size_t inner_ends(const SideText& side) {
  const auto occurs = [&](std::string_view mark) { return side.bytes.find(mark) != std::string_view::npos; };
  if (side.is_ascii() && !occurs(". ") && !occurs("? ") && !occurs("! ")) return 0;
  std::size_t ends = 0, letters = 0;  // small letters before the punctuation
  for (std::size_t i = 0; i + 2 < side.size(); ++i) {
    const char32_t c = side.characters[i];
    const bool ideographic = c == U'。' || c == U'！' || c == U'？';
    if (ideographic ||
        (ends_sentence(c) && letters >= 3 && side.has(i + 1, kSplits) && side.has(i + 2, kUpper | kDigit)))
      ++ends;
    letters = side.has(i, kLower) || (side.has(i, kLetter) && !side.has(i, kUpper)) ? letters + 1 : 0;
  }
  return ends;
}
/// A side that ends without punctuation, unlike the other, and is shorter: how much longer the other one is.
double unfinished(const PairText& pair, const RuleSetup&) {
  const bool source = is_finished(pair.source.characters), target = is_finished(pair.target.characters);
  const SideText& open = source ? pair.target : pair.source;
  const SideText& other = source ? pair.source : pair.target;
  if (source == target || open.size() >= other.size()) return 1;
  return padded_length_ratio(pair.source.size(), pair.target.size());
}

/// Sentences that a side has more than the other, if it is longer as well.
double extra_sentences(const PairText& pair, const RuleSetup&) {
  const std::size_t source = inner_ends(pair.source), target = inner_ends(pair.target);
  if (source == target) return 0;
  const std::size_t longer = source > target ? pair.source.size() : pair.target.size(),
                    other = source > target ? pair.target.size() : pair.source.size();
  constexpr double kLonger = 1.25;
  if (static_cast<double>(longer) < kLonger * static_cast<double>(other)) return 0;
  return static_cast<double>(std::max(source, target) - std::min(source, target));
}

std::u32string nonzero_digits(const SideText& side) {
  std::u32string digits;
  constexpr std::size_t kMostDigits = 500;  // the time grows with their third power
  for (const char32_t c : side.characters) {
    if (c >= U'1' && c <= U'9' && digits.size() < kMostDigits) digits += c;
  }
  return digits;
}
double digit_similarity(const PairText& pair, const RuleSetup&) {
  return matching_ratio(nonzero_digits(pair.source), nonzero_digits(pair.target));
}
double digit_difference(const PairText& pair, const RuleSetup&) {
  std::array<std::ptrdiff_t, 10> counts{};
  for (const char32_t c : pair.source.characters)
    counts[c >= U'0' && c <= U'9' ? c - U'0' : 0] += c >= U'0' && c <= U'9' ? 1 : 0;
  for (const char32_t c : pair.target.characters)
    counts[c >= U'0' && c <= U'9' ? c - U'0' : 0] -= c >= U'0' && c <= U'9' ? 1 : 0;
  std::ptrdiff_t all = 0;
  for (const std::ptrdiff_t count : counts) all += std::abs(count);
  return static_cast<double>(all);
}

/// OpusCleaner's numbers: a sign after white space, or the border of a word; digits, perhaps with '.', ',' or
/// ':' between; the border of a word. Without leading zeros, and with '*' for each separator.
std::set<std::u32string> bordered_numbers(const SideText& side) {
  std::set<std::u32string> numbers;
  const auto is_word = [&](std::size_t i) { return i < side.size() && side.has(i, kWordPart); };
  const auto is_digit = [&](std::size_t i) { return i < side.size() && side.has(i, kDigit); };
  for (std::size_t i = 0; i < side.size();) {
    const char32_t c = side.characters[i];
    const bool sign = (c == U'-' || c == U'+') && (i == 0 || side.has(i - 1, kSplits)) && is_digit(i + 1);
    const bool border = is_digit(i) && (i == 0 || !is_word(i - 1));
    if (!sign && !border) {
      ++i;
      continue;
    }
    std::size_t at = sign ? i + 1 : i, end = 0;  // `end`: of the longest number before the border of a word
    const std::size_t begin = at;
    while (is_digit(at)) {
      while (is_digit(at)) ++at;
      if (!is_word(at)) end = at;
      const char32_t separator = at < side.size() ? side.characters[at] : 0;
      if ((separator != U'.' && separator != U',' && separator != U':') || !is_digit(at + 1)) break;
      ++at;
    }
    if (end == 0) {
      ++i;
      continue;
    }
    std::size_t first = begin;
    while (first + 1 < end && side.characters[first] == U'0' && is_digit(first + 1)) ++first;
    std::u32string number = sign ? std::u32string(1, c) : std::u32string();
    for (std::size_t j = first; j < end; ++j) number += is_digit(j) ? side.characters[j] : U'*';
    numbers.insert(number);
    i = end;
  }
  return numbers;
}
double number_agreement(const PairText& pair, const RuleSetup&) {
  const std::set<std::u32string> source = bordered_numbers(pair.source),
                                 target = bordered_numbers(pair.target);
  const auto common = static_cast<std::size_t>(
      std::ranges::count_if(source, [&](const auto& number) { return target.contains(number); }));
  return static_cast<double>(common + 1) /
         static_cast<double>(source.size() + target.size() - 2 * common + 1);
}

/// Numbers that only one side has, whatever their format. A single digit may be a word on the other side.
double number_difference(const PairText& pair, const RuleSetup&) {
  if (((pair.source.present | pair.target.present) & kDigit) == 0) return 0;
  const std::vector<std::string> source = numbers_of(pair.source), target = numbers_of(pair.target);
  std::string all_of_source, all_of_target;  // a space may separate thousands
  for (const std::string& number : source) all_of_source += number;
  for (const std::string& number : target) all_of_target += number;
  if (all_of_source == all_of_target) return 0;
  if (std::max(source.size(), target.size()) > kMostCompared)
    return static_cast<double>(source.size() + target.size());
  std::vector<std::string> missing, extra, counted_target = target;
  const auto same_value = [](const std::string& a, const std::string& b) {
    const auto value = [](std::string_view number) {
      return number.substr(std::min(number.find_first_not_of('0'), number.size() - 1));
    };
    return value(a) == value(b);
  };
  for (const std::string& number : source) {
    const auto found = std::ranges::find_if(
        counted_target, [&](const std::string& other) { return same_value(number, other); });
    if (found == counted_target.end()) {
      missing.push_back(number);
    } else {
      counted_target.erase(found);
    }
  }
  extra = std::move(counted_target);
  if (missing.empty() != extra.empty()) {
    std::erase_if(missing, [](const std::string& number) { return number.size() == 1; });
    std::erase_if(extra, [](const std::string& number) { return number.size() == 1; });
  }
  return static_cast<double>(missing.size() + extra.size());
}

std::vector<std::u32string> texts_of(const SideText& side, const std::vector<TextPart>& parts) {
  std::vector<std::u32string> texts;
  for (const TextPart& part : parts) texts.emplace_back(side.part(part));
  std::ranges::sort(texts);
  return texts;
}
double different(const std::vector<std::u32string>& a, const std::vector<std::u32string>& b) {
  std::vector<std::u32string> found;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(found));
  return static_cast<double>(found.size());
}
double url_difference(const PairText& pair, const RuleSetup&) {
  return different(texts_of(pair.source, urls_of(pair.source)), texts_of(pair.target, urls_of(pair.target)));
}
double mail_difference(const PairText& pair, const RuleSetup&) {
  return different(texts_of(pair.source, mail_addresses_of(pair.source)),
                   texts_of(pair.target, mail_addresses_of(pair.target)));
}

/// The start of a long text, whole characters.
std::string_view start_of(std::string_view text) {
  std::size_t size = std::min(text.size(), 4 * kMostCompared);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

/// OpusCleaner's URLs, by the grammar of RFC 3986 with an optional scheme; without hosts in which a sentence
/// ends.
std::vector<std::string> strict_urls(std::string_view text) {
  static const Pattern url(
      R"((?i)\b(?:[a-z][a-z0-9+.-]*://)?(?:[a-z0-9._~%!$&'()*+,;=:-]+@)?(?:(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}|(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-f:.]+\])(?::\d{2,5})?(?:/[a-z0-9._~%!$&'()*+,;=:@-]*)*(?:\?[a-z0-9._~%!$&'()*+,;=:@/?-]*)?(?:#[a-z0-9._~%!$&'()*+,;=:@/?-]*)?\b)");
  std::vector<std::string> found;
  if (text.find('.') == std::string_view::npos && text.find('[') == std::string_view::npos) return found;
  for (const ByteRange& range : url.matches(start_of(text))) {
    const std::string match(text.substr(range.begin, range.end - range.begin));
    const std::size_t scheme = match.find("://");
    std::string host = scheme == std::string::npos ? match : match.substr(scheme + 3);
    host = host.substr(0, host.find_first_of("/?#"));
    host = host.substr(host.find('@') == std::string::npos ? 0 : host.rfind('@') + 1);
    bool sentence = false;
    for (std::size_t i = 1; i + 1 < host.size(); ++i) {
      const auto small = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
      sentence |= host[i] == '.' && small(host[i - 1]) && host[i + 1] >= 'A' && host[i + 1] <= 'Z';
    }
    if (!sentence) found.push_back(match);
  }
  return found;
}
double url_mismatch(const PairText& pair, const RuleSetup&) {
  try {
    return strict_urls(pair.source.bytes) == strict_urls(pair.target.bytes) ? 0 : 1;
  } catch (const Error&) {
    return 1;  // a text on which the search takes too long is no sentence
  }
}

/// The currencies beside numbers, in order.
std::vector<std::u32string> currencies_of(const SideText& side) {
  static constexpr auto kCodes =
      std::to_array<std::u32string_view>({U"USD", U"EUR", U"GBP", U"JPY", U"CHF", U"CNY", U"RUB", U"CZK",
                                          U"PLN", U"SEK", U"NOK", U"DKK", U"INR", U"AUD", U"CAD"});
  std::vector<std::u32string> found;
  const auto near_digit = [&](std::size_t begin, std::size_t end) {
    std::size_t after = end, before = begin;
    while (after < side.size() && side.has(after, kSplits)) ++after;
    while (before > 0 && side.has(before - 1, kSplits)) --before;
    return (after < side.size() && side.has(after, kDigit)) || (before > 0 && side.has(before - 1, kDigit));
  };
  for (std::size_t i = 0; i < side.size(); ++i) {
    const char32_t c = side.characters[i];
    if ((c == U'$' || c == U'€' || c == U'£' || c == U'¥' || c == U'₽' || c == U'₹') &&
        near_digit(i, i + 1))
      found.emplace_back(1, c);
    const bool begins = side.has(i, kUpper) && (i == 0 || !side.has(i - 1, kLetter)) &&
                        (i + 3 >= side.size() || !side.has(i + 3, kLetter));
    if (begins && std::ranges::count(kCodes, std::u32string_view(side.characters).substr(i, 3)) > 0 &&
        near_digit(i, i + 3))
      found.emplace_back(side.characters.substr(i, 3));
  }
  return found;
}
double currency_difference(const PairText& pair, const RuleSetup&) {
  return currencies_of(pair.source) == currencies_of(pair.target) ? 0 : 1;
}

std::array<std::ptrdiff_t, 8> bracket_counts(const SideText& side) {
  constexpr std::u32string_view kBrackets = U"()[]{}⟨⟩";
  std::array<std::ptrdiff_t, 8> counts{};
  for (const char32_t c : side.characters) {
    const std::size_t place = kBrackets.find(c);
    if (place != kBrackets.npos) ++counts[place];
  }
  return counts;
}
double brackets(const PairText& pair, const RuleSetup&) {
  const auto source = bracket_counts(pair.source), target = bracket_counts(pair.target);
  for (const auto& counts : {source, target}) {
    for (std::size_t i = 2; i < counts.size(); i += 2) {
      if (counts[i] != counts[i + 1] || counts[i] + counts[i + 1] > 6) return 1;
    }
  }
  const bool balanced = source[0] == source[1] && target[0] == target[1];
  return balanced || source[1] == target[1] ? 0 : 1;
}

/// True as Python's str.istitle: capitals follow characters without case only, small letters others.
bool is_title(const SideText& side) {
  bool cased = false, any = false;
  for (std::size_t i = 0; i < side.size(); ++i) {
    const bool upper = side.has(i, kUpper), lower = side.has(i, kLower);
    if ((upper && cased) || (lower && !cased)) return false;
    cased = upper || lower;
    any |= cased;
  }
  return any;
}
bool has_inner_space(const SideText& side) {
  if (side.words.empty()) return false;
  for (std::size_t i = side.words.front().begin; i < side.words.back().end; ++i) {
    if (side.characters[i] == U' ') return true;
  }
  return false;
}
double titles(const PairText& pair, const RuleSetup&) {
  return is_title(pair.source) && is_title(pair.target) && has_inner_space(pair.source) &&
                 has_inner_space(pair.target)
             ? 1
             : 0;
}

}  // namespace

std::span<const Rule> agreement_rules() {
  static const auto table = std::to_array<Rule>({
      {"terminal_punctuation",
       "-ln(1 + |s - t| + max(0, s - 1) + max(0, t - 1)) of the numbers of . ? ! and …",
       "OpusFilter TerminalPunctuationFilter",
       {.at_least = -2},
       nullptr,
       terminal_punctuation},
      {"unfinished",
       "how much longer the other side is, if a side lacks its final punctuation; else 1",
       "",
       {.at_most = kFinishedRatio},
       nullptr,
       unfinished},
      {"extra_sentences",
       "sentences that the longer side has more, if it is longer by 25 %",
       "",
       {.at_most = 0},
       nullptr,
       extra_sentences},
      {"digit_similarity",
       "digits 1-9 in common, in order / all of them",
       "OpusFilter NonZeroNumeralsFilter",
       {.at_least = 0.5},
       nullptr,
       digit_similarity},
      {"digit_difference",
       "ASCII digits that one side has more of",
       "hardrules no_number_inconsistencies",
       {.at_most = 0},
       nullptr,
       digit_difference},
      {"number_agreement",
       "(different numbers in common + 1) / (those that differ + 1)",
       "OpusCleaner num_mismatch",
       {.at_least = 1},
       nullptr,
       number_agreement},
      {"number_difference",
       "numbers that one side lacks, whatever their format; digits may be words there",
       "",
       {.at_most = 0},
       nullptr,
       number_difference},
      {"url_mismatch",
       "1 if the URLs of both sides differ",
       "OpusCleaner url_mismatch",
       {.at_most = 0},
       nullptr,
       url_mismatch},
      {"url_difference", "URLs that one side lacks", "", {.at_most = 0}, nullptr, url_difference},
      {"mail_difference",
       "e-mail addresses that one side lacks",
       "",
       {.at_most = 0},
       nullptr,
       mail_difference},
      {"currency_difference",
       "1 if the currencies beside numbers differ",
       "OpusCleaner currency_mismatch",
       {.at_most = 0},
       nullptr,
       currency_difference},
      {"brackets",
       "1 if brackets are not closed as on the other side",
       "hardrules no_paren",
       {.at_most = 0},
       nullptr,
       brackets},
      {"titles",
       "1 if each word of both sides begins with a capital",
       "hardrules no_titles",
       {.at_most = 0},
       nullptr,
       titles},
  });
  return table;
}

}  // namespace gloss
