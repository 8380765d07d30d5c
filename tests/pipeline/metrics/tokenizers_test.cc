// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/tokenizers.h"

#include <gtest/gtest.h>

#include "base/index.h"
#include "base/random.h"
#include "pipeline/metrics/segment_words.h"
#include "pipeline/metrics/tercom_tokenizer.h"
#include "tests/support/tokenized.h"
#include "tokenizer/characters.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

std::string joined(std::string_view text) {
  std::vector<std::string_view> words;
  split_words(text, words);
  std::string result;
  for (const std::string_view word : words) result += (result.empty() ? "" : " ") + std::string(word);
  return result;
}

TEST(InternationalTokenizer, SplitsUnicodePunctuationAndSymbols) {
  EXPECT_EQ(tokenized("intl", "„Hallo“, sagte er – 5€!"), "„ Hallo “ , sagte er – 5 € !");
  EXPECT_EQ(tokenized("intl", "1,000.50 x-y 3-4"), "1,000.50 x - y 3-4");
  EXPECT_EQ(tokenized("intl", "im Jahr 1999."), "im Jahr 1999.");  // as in mteval-v14
  EXPECT_EQ(tokenized("intl", "&quot;"), "& quot ;");
  EXPECT_EQ(tokenized("intl", "½.Ⅷ a..b"), "½.Ⅷ a . . b");
}

TEST(ChineseTokenizer, CharactersAreWordsAndTheRestIsWestern) {
  EXPECT_EQ(tokenized("zh", "我爱Beijing, 3.5个。"), "我 爱 Beijing , 3.5 个 。");
  EXPECT_EQ(tokenized("zh", "“好”——A"), "“ 好 ” — — A");  // U+2001 to U+2A6D are treated as Chinese
  EXPECT_EQ(tokenized("zh", "ひら"), "ひら");
  EXPECT_EQ(tokenized("zh", "版本2."), "版 本 2.");  // no space is added after the line
}

TEST(CharacterTokenizer, EachCharacterIsAWord) {
  EXPECT_EQ(tokenized("char", "aß 😀\tb"), "a ß 😀 b");
  EXPECT_EQ(tokenized("char", "e\u0301"), "e \u0301");  // code points, not graphemes
}

TEST(TercomWords, FollowTheOptions) {
  TerSettings normalized;
  normalized.normalized = true;
  EXPECT_EQ(joined(tercom_words("John's &quot;big&quot; dog's tail.", normalized)),
            "john 's \" big \" dog 's tail .");
  TerSettings asian = normalized;
  asian.asian_support = true;
  asian.no_punct = true;
  asian.case_sensitive = true;
  EXPECT_EQ(joined(tercom_words("他说「Hello」，好。", asian)), "他 说 Hello 好");
}

/// Lines of letters, punctuation, digits, white space, ideographs, emoji, combining marks and control
/// characters.
std::string random_line(Random& random, std::size_t length) {
  constexpr char32_t kRanges[][2] = {{0x20, 0x7e},     {0x30, 0x39},     {0x2c, 0x2e},
                                     {0, 0x1f},        {0x80, 0x2ff},    {0x300, 0x36f},
                                     {0x590, 0x6ff},   {0x2000, 0x206f}, {0x3000, 0x30ff},
                                     {0x4e00, 0x4e20}, {0xfe00, 0xffef}, {0x1f600, 0x1f64f}};
  std::string line;
  for (std::size_t i = 0; i < length; ++i) {
    const auto& range = kRanges[random.below(std::size(kRanges))];
    const auto character = static_cast<char32_t>(range[0] + random.below(range[1] - range[0] + 1));
    append_utf8(line, character == '\n' ? U' ' : character);
  }
  return line;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char32_t c : code_points(text)) {
    if (!is_white_space(c)) append_utf8(result, c);
  }
  return result;
}

/// Replaces adjacent characters that match `first` and `second` by `by`, with $1 and $2 for the two
/// characters.
template <class First, class Second>
std::string substitute(const std::string& text, First first, Second second, const std::string& by) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at + 1 == text.size() || !first(text[at]) || !second(text[at + 1])) {
      out += text[at];
      continue;
    }
    for (const char c : by) out += c == '1' ? text[at] : c == '2' ? text[at + 1] : c;
    ++at;
  }
  return out;
}

/// The original rules of mteval-v13a.pl in order.
std::string by_rules(const std::string& line) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto other = [&](char c) { return !digit(c); };
  const auto mark = [](char c) { return c == '.' || c == ','; };
  const auto hyphen = [](char c) { return c == '-'; };
  std::string text;
  for (const char c : line) {
    const bool alone = std::string_view("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/").find(c) != std::string_view::npos;
    text += alone ? std::string{' ', c, ' '} : std::string{c};
  }
  text = substitute(text, other, mark, "1 2 ");
  text = substitute(text, mark, other, " 1 2");
  return joined(substitute(text, digit, hyphen, "1 2 "));
}

TEST(Tokenizer13a, AgreesWithTheOriginalRules) {
  Random random(6);
  constexpr std::string_view kAlphabet = "a1 .,-'/(~ \xc3";  // \xc3 becomes an umlaut
  for (int repetition = 0; repetition < 3000; ++repetition) {
    std::string line;
    for (std::uint64_t length = random.below(14); length > 0; --length) {
      const char c = kAlphabet[random.below(kAlphabet.size())];
      line += c;
      if (c == '\xc3') line += '\xa4';
    }
    EXPECT_EQ(tokenized("13a", line), by_rules(" " + line + " ")) << line;
    EXPECT_EQ(tokenized("zh", line), by_rules(std::string(trim(line)))) << line;
  }
}

// Tokenizers add and remove only white space and give at most one word per character, so memory and time are
// linear.
TEST(AllTokenizers, KeepAllCharacters) {
  Random random(7);
  for (const std::string name : {"none", "13a", "intl", "zh", "char"}) {
    for (const std::size_t length : {0, 1, 2, 3, 10, 100, 5000}) {
      for (int repetition = 0; repetition < 40; ++repetition) {
        std::string line = random_line(random, length);
        std::erase(line, '&');
        std::erase(line, '<');
        const std::string words = tokenized(name, line);
        EXPECT_EQ(without_blanks(words), without_blanks(line)) << name;
        EXPECT_LE(words.size(), 2 * line.size()) << name;
      }
    }
  }
}

TEST(AllTokenizers, HandleHugeLines) {
  Random random(8);
  std::string entities;
  for (int i = 0; i < 100000; ++i) entities += "&amp;<skipped>1.-";
  const std::vector<std::string> lines{random_line(random, 200000), std::string(1000000, '.'),
                                       std::string(1000000, 'a'), std::string(500000, '&'), entities};
  TerSettings settings;
  settings.normalized = settings.asian_support = settings.no_punct = true;
  for (const std::string& line : lines) {
    for (const std::string name : {"none", "13a", "intl", "zh", "char"}) {
      EXPECT_LE(tokenized(name, line).size(), 2 * line.size()) << name;
    }
    EXPECT_LE(tercom_words(line, settings).size(), 5 * line.size() + 2);
  }
}

TEST(SplitWords, AgreesWithPythonsSplit) {
  EXPECT_EQ(joined(" a\tb\u00a0c\u2028d\u3000\u1680e\x1f"
                   "f\u0085 "),
            "a b c d e f");
  EXPECT_EQ(joined("a\u200bb \u00e2\u0080"), "a\u200bb \u00e2\u0080");
  EXPECT_EQ(joined(std::string_view("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(trim(" \u3000 a b\u00a0\u2029\r"), "a b");
  EXPECT_EQ(trim("\u2003"), "");
}

TEST(WordNumbers, NumbersManyWords) {
  WordNumbers numbers;
  std::vector<std::string> words;
  for (int i = 0; i < 5000; ++i)
    words.push_back("word" + std::to_string(i) + std::string(index(i % 20), 'x'));
  for (int round = 0; round < 2; ++round) {
    numbers.clear();
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(numbers.add(words[i]), i);
    for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(numbers.find(words[i]), i);
    EXPECT_EQ(numbers.find("other"), WordNumbers::kUnknown);
  }
}

}  // namespace
}  // namespace gloss
