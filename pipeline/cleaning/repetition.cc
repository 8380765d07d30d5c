// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/repetition.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "pipeline/cleaning/rule.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

std::size_t count_in(std::u32string_view text, std::u32string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

/// The end of the unit at `begin` and of all that repeat it, and how many these are.
std::pair<std::size_t, std::size_t> repetitions_of(std::u32string_view text, std::size_t begin,
                                                   std::size_t size) {
  const std::u32string_view unit = text.substr(begin, size);
  std::size_t end = begin + size, count = 0;
  while (true) {
    std::size_t next = end;
    while (next < text.size() && text[next] == U' ') ++next;
    if (text.compare(next, size, unit) != 0 || next + size > text.size()) return {end, count};
    end = next + size;
    ++count;
  }
}

/// True if there is a border of a word before this place.
bool has_border(const SideText& side, std::size_t size, std::size_t place) {
  const bool before = place > 0 && side.has(place - 1, kWordPart);
  const bool after = place < size && side.has(place, kWordPart);
  return before != after;
}

}  // namespace

std::size_t repeated_units(const SideText& side) {
  constexpr std::size_t kShortest = 3, kLongest = 101;
  const std::u32string_view text = compared_characters(side);
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (side.has(begin, kSplits)) continue;
    const std::size_t most = std::min(kLongest, (text.size() - begin) / 3);
    for (std::size_t size = kShortest; size <= most; ++size) {
      std::size_t next = begin + size;
      while (next < text.size() && text[next] == U' ') ++next;
      if (next >= text.size() || text[next] != text[begin]) continue;
      const auto [end, count] = repetitions_of(text, begin, size);
      if (count >= 2) return count_in(text.substr(begin, end - begin), text.substr(begin, size)) - 1;
    }
  }
  return 0;
}

std::size_t repeated_phrase_count(const SideText& side, std::string_view language) {
  static constexpr auto kWithWords = std::to_array<std::string_view>(
      {"en", "es", "fr", "pl", "de", "it", "pt", "nl", "cs", "ro", "fi", "lv",
       "et", "bg", "hr", "da", "hu", "ga", "eu", "gl", "sl", "sv", "mt", "sk",
       "is", "lt", "nb", "nn", "no", "ur", "sw", "my", "so", "bn", "fa", "gu"});
  const bool words = language.empty() || std::ranges::count(kWithWords, language) > 0;
  const std::size_t shortest = has_no_spaces(language) ? 4 : 7;  // is not enough
  const std::u32string_view start = compared_characters(side);
  std::u32string text(start);
  if (words) std::ranges::transform(text, text.begin(), folded_case);
  const std::size_t end = text.size();
  std::size_t count = 0;
  // The unit at `begin` of `size` characters and its repetition: where that ends; 0: it is not repeated.
  const auto repeated = [&](std::size_t begin, std::size_t size) -> std::size_t {
    std::size_t again = begin + size;
    if (words) {
      while (again < end && side.has(again, kSplits)) ++again;
      if (again == begin + size || !has_border(side, end, again)) return 0;
    }
    if (again + size > end || text.compare(again, size, text, begin, size) != 0) return 0;
    return words && !has_border(side, end, again + size) ? 0 : again + size;
  };
  for (std::size_t begin = 0; begin < end;) {
    std::size_t after = 0;
    if (!words || (!side.has(begin, kSplits) && has_border(side, end, begin))) {
      for (std::size_t size = (end - begin) / 2; size >= (words ? 2U : 1U) && after == 0; --size) {
        after = repeated(begin, size);
      }
    }
    if (after == 0) {
      ++begin;
      continue;
    }
    std::size_t first = begin, last = after;
    while (first < last && side.has(first, kSplits)) ++first;
    while (last > first && side.has(last - 1, kSplits)) --last;
    bool letter = false;
    for (std::size_t i = first; i < last; ++i) letter |= side.has(i, kAlphabetic);
    count += letter && last - first > shortest ? 1 : 0;
    begin = after;
  }
  return count;
}

std::size_t words_of_repetition(const SideText& side) {
  constexpr std::size_t kMostWords = 1000;
  std::vector<std::size_t> words;
  for (const TextPart& word : side.words) {
    words.push_back(std::hash<std::u32string_view>{}(side.part(word)));
    if (words.size() == kMostWords) break;
  }
  std::size_t most = 0;
  for (std::size_t lag = 1; lag < words.size(); ++lag) {
    std::size_t run = 0;
    for (std::size_t i = lag; i < words.size(); ++i) {
      run = words[i] == words[i - lag] ? run + 1 : 0;
      // The last word of a long phrase may have other punctuation.
      if (run >= lag - (lag >= 4 ? 1 : 0)) most = std::max(most, run);
    }
  }
  return most;
}

}  // namespace gloss
