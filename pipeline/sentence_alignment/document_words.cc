// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/document_words.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/index.h"
#include "tokenizer/characters.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

constexpr std::size_t kLongestWord = 5, kMostWords = 1000;

/// True for letters of scripts that do not separate words by spaces: Thai and Lao, Burmese, Khmer, Kana and
/// Chinese characters.
bool is_without_spaces(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 6> kRanges{{{0x0E00, 0x0EFF},
                                                                  {0x1000, 0x109F},
                                                                  {0x1780, 0x17FF},
                                                                  {0x2E80, 0x9FFF},
                                                                  {0xF900, 0xFAFF},
                                                                  {0x20000, 0x3FFFF}}};
  return std::ranges::any_of(kRanges,
                             [&](const auto& range) { return c >= range.first && c <= range.second; });
}

std::vector<std::u32string> split_words(const std::string& sentence) {
  std::vector<std::u32string> words;
  bool inside = false;  // a word
  for (const char32_t c :
       code_points(without_accents(lower_case(clean_text(sentence, Normalization::nfkc).text)))) {
    if (words.size() > kMostWords) break;
    if (is_white_space(c)) {
      inside = false;
      continue;
    }
    const bool joins = (is_letter(c) || is_number(c)) && !is_without_spaces(c);
    if (!joins || !inside) words.emplace_back();
    if (words.back().size() < kLongestWord) words.back() += c;
    inside = joins;
  }
  words.resize(std::min(words.size(), kMostWords));
  return words;
}

}  // namespace

SideWords words_of(const std::vector<std::string>& sentences) {
  SideWords side;
  std::unordered_map<std::u32string, TokenId> numbers;
  std::vector<TokenId> line;
  for (const std::string& sentence : sentences) {
    line.clear();
    for (std::u32string& word : split_words(sentence)) {
      const auto [found, fresh] = numbers.try_emplace(word, static_cast<TokenId>(numbers.size()));
      if (fresh) side.spelling.push_back(std::move(word));
      line.push_back(found->second);
    }
    side.sentences.add(line);
  }
  return side;
}

}  // namespace gloss
