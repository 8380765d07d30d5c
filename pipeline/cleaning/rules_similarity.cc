// SPDX-License-Identifier: Apache-2.0
// Rules about how similar both sides of a pair are: copies are no translations.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>

#include "pipeline/cleaning/agreement.h"
#include "pipeline/cleaning/rule.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

std::u32string folded_letters(const SideText& side) {
  std::u32string letters;
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (side.has(i, kLetter)) letters += folded_case(side.characters[i]);
  }
  return letters;
}
double identical_letters(const PairText& pair, const RuleSetup&) {
  return folded_letters(pair.source) == folded_letters(pair.target) ? 1 : 0;
}

double similarity(const PairText& pair, const RuleSetup&) {
  const std::u32string_view a = compared_characters(pair.source), b = compared_characters(pair.target);
  const std::size_t longer = std::max(a.size(), b.size());
  return longer == 0 ? 1 : 1 - static_cast<double>(levenshtein_distance(a, b)) / static_cast<double>(longer);
}
/// The words of a text in lower case, as numbers that equal words of both texts share.
std::u32string word_numbers(const SideText& side, std::map<std::string, char32_t>& known) {
  std::u32string numbers;
  const std::string lower = lower_case(side.bytes);
  SideText text;
  text.read(lower);
  for (const TextPart& word : text.words) {
    if (numbers.size() == kMostCompared) break;
    std::string bytes;
    for (const char32_t c : text.part(word)) append_utf8(bytes, c);
    numbers += known.emplace(bytes, static_cast<char32_t>(known.size())).first->second;
  }
  return numbers;
}
double word_similarity(const PairText& pair, const RuleSetup&) {
  std::map<std::string, char32_t> known;
  const std::u32string a = word_numbers(pair.source, known), b = word_numbers(pair.target, known);
  const std::size_t longer = std::max(a.size(), b.size());
  return longer == 0 ? 1 : 1 - static_cast<double>(levenshtein_distance(a, b)) / static_cast<double>(longer);
}
double common_substring(const PairText& pair, const RuleSetup&) {
  const std::u32string_view a = compared_characters(pair.source), b = compared_characters(pair.target);
  const std::size_t shorter = std::min(a.size(), b.size());
  return shorter == 0 ? 0
                      : static_cast<double>(longest_common_substring(a, b)) / static_cast<double>(shorter);
}

/// The hashes of the words with letters, folded and without other characters, in order.
std::vector<std::size_t> word_hashes(const SideText& side) {
  std::vector<std::size_t> hashes;
  for (const TextPart& word : side.words) {
    std::size_t hash = 1469598103934665603U;
    bool letters = false;
    for (std::size_t i = word.begin; i < word.end; ++i) {
      if (!side.has(i, kLetter | kMark)) continue;
      const char32_t c = side.characters[i];
      const char32_t folded = c < 0x80 ? c | 0x20 : folded_case(c);
      hash = (hash ^ folded) * 1099511628211U;
      letters = true;
    }
    if (letters) hashes.push_back(hash);
    if (hashes.size() == kMostCompared) break;
  }
  std::ranges::sort(hashes);
  return hashes;
}
/// Of few words, such as names, any number may be the same.
double copied_words(const PairText& pair, const RuleSetup&) {
  constexpr std::size_t kFewest = 4;
  const std::vector<std::size_t> a = word_hashes(pair.source), b = word_hashes(pair.target);
  if (std::max(a.size(), b.size()) < kFewest || a.empty() || b.empty()) return 0;
  std::vector<std::size_t> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return static_cast<double>(common.size()) / static_cast<double>(std::min(a.size(), b.size()));
}

}  // namespace

std::span<const Rule> similarity_rules() {
  static const auto table = std::to_array<Rule>({
      {"identical_letters",
       "1 if both sides have the same letters, whatever their case",
       "hardrules no_identical",
       {.at_most = 0},
       nullptr,
       identical_letters},
      {"similarity",
       "1 - edit distance / length of the longer side, in characters",
       "OpusFilter SimilarityFilter",
       {.below = 0.9},
       nullptr,
       similarity},
      {"word_similarity",
       "the same of words in lower case",
       "OpusFilter SimilarityFilter unit=word",
       {.below = 0.9},
       nullptr,
       word_similarity},
      {"common_substring",
       "longest common substring / length of the shorter side",
       "OpusFilter LongestCommonSubstringFilter",
       {.below = 0.9},
       nullptr,
       common_substring},
      {"copied_words",
       "words that both sides have / words of the shorter one; 0 of fewer than 4",
       "",
       {.below = 0.7},
       nullptr,
       copied_words},
  });
  return table;
}

}  // namespace gloss
