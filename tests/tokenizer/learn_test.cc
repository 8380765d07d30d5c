// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/learned_vocabulary.h"
#include "tests/support/subword_model.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

using namespace std::string_literals;

struct Notes : Listener {
  void note(const std::string& text) override { all += text + "\n"; }
  std::string all;
};

std::vector<std::string> english_sentences() {
  std::vector<std::string> lines;
  for (const char* who : {"the cat", "the dog", "a child", "an old woman", "the bird"}) {
    for (const char* what : {"sees", "hears", "follows", "carries", "likes"}) {
      for (const char* whom : {"the mouse", "a ball", "the garden", "his brother", "an umbrella"}) {
        lines.push_back(std::string(who) + " " + what + " " + whom + ".");
      }
    }
  }
  return lines;
}

SubwordSettings of_size(int size) {
  SubwordSettings settings;
  settings.size = size;
  return settings;
}

std::string message_of(const std::vector<std::string>& lines, const SubwordSettings& settings) {
  Notes notes;
  try {
    learn(lines, settings, notes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LearnSubwords, GivesTheRequestedSizeAndIds) {
  Notes notes;
  const Subwords subwords = learn(english_sentences(), of_size(80), notes);
  EXPECT_EQ(subwords.size(), 80);
  EXPECT_EQ(subwords.unknown_id(), 0);
  EXPECT_EQ(subwords.begin_id(), 1);
  EXPECT_EQ(subwords.end_id(), 2);
  EXPECT_NE(notes.all.find("125 lines"), std::string::npos) << notes.all;
  for (const std::string& line : english_sentences()) EXPECT_EQ(subwords.decode(subwords.encode(line)), line);
}

TEST(LearnSubwords, WithoutABeginPieceTheIdsAreThoseOfMarian) {
  for (const auto& [type, size] :
       std::vector<std::pair<VocabularyType, int>>{{VocabularyType::bpe, 80},
                                                   {VocabularyType::unigram, 36},
                                                   {VocabularyType::character, 80},
                                                   {VocabularyType::byte_bpe, 300}}) {
    SubwordSettings settings = of_size(size);
    settings.type = type;
    settings.begin_piece = false;
    Notes notes;
    const Subwords subwords = learn(english_sentences(), settings, notes);
    EXPECT_EQ(subwords.begin_id(), -1);
    EXPECT_EQ(subwords.piece(0), "</s>");
    EXPECT_EQ(subwords.end_id(), 0);
    EXPECT_EQ(subwords.piece(1), "<unk>");
    EXPECT_EQ(subwords.unknown_id(), 1);
    for (const std::string& line : english_sentences())
      EXPECT_EQ(subwords.decode(subwords.encode(line)), line);
  }
  SubwordSettings settings = of_size(3);
  settings.type = VocabularyType::character;
  settings.begin_piece = false;
  EXPECT_NE(message_of(english_sentences(), settings).find("2 special"), std::string::npos);
}

TEST(LearnSubwords, TheSameForAnyNumberOfThreads) {
  Notes notes;
  const Subwords one = learn(english_sentences(), of_size(80), notes, 1);
  EXPECT_EQ(learn(english_sentences(), of_size(80), notes, 4).bytes(), one.bytes());
}

TEST(LearnSubwords, SamplesByTheSeed) {
  Notes notes;
  SubwordSettings settings = of_size(50);
  settings.sample_lines = 40;
  const Subwords first = learn(english_sentences(), settings, notes);
  EXPECT_NE(notes.all.find("40 of 125 lines"), std::string::npos) << notes.all;
  EXPECT_EQ(learn(english_sentences(), settings, notes).bytes(), first.bytes());
  bool differs = false;
  for (settings.seed = 2; settings.seed < 6; ++settings.seed) {
    differs = differs || learn(english_sentences(), settings, notes).bytes() != first.bytes();
  }
  EXPECT_TRUE(differs);
}

TEST(LearnSubwords, UserSymbolsAreNotSplit) {
  Notes notes;
  SubwordSettings settings = of_size(80);
  settings.user_symbols = {"<name>", "a,b", "q\"q", "中文"};
  const Subwords subwords = learn(english_sentences(), settings, notes);
  EXPECT_EQ(subwords.piece(3), "<name>");
  EXPECT_EQ(subwords.encode("x<name>a,bq\"q中文"),
            (std::vector<int>{subwords.encode("x")[0], subwords.encode("x")[1], 3, 4, 5, 6}));
  for (const std::string bad : {"", "two words", "a\tb", "\xFF", "▁a", "<unk>", "<s>"}) {
    settings.user_symbols = {bad};
    EXPECT_NE(message_of(english_sentences(), settings).find("symbol '"), std::string::npos) << bad;
  }
  settings.user_symbols = {"twice", "twice"};
  EXPECT_NE(message_of(english_sentences(), settings).find("twice"), std::string::npos);
}

TEST(LearnSubwords, ByteFallbackEncodesEverything) {
  Notes notes;
  SubwordSettings settings = of_size(350);
  settings.byte_fallback = true;
  const Subwords subwords = learn(english_sentences(), settings, notes);
  EXPECT_EQ(subwords.decode(subwords.encode("日本語 \t\0 😀"s)), "日本語 \t\0 😀"s);
}

TEST(LearnSubwords, StatesTheMaximumSizeForATooSmallText) {
  const std::string message = message_of(english_sentences(), of_size(5000));
  const std::size_t at = message.find("ask for at most ");
  ASSERT_NE(at, std::string::npos) << message;
  Notes notes;
  const int most = std::atoi(message.c_str() + at + 16);
  EXPECT_EQ(learn(english_sentences(), of_size(most), notes).size(), most);
  EXPECT_NE(message_of(english_sentences(), of_size(most + 1)), "no error");
}

TEST(LearnSubwords, StatesTheMinimumSizeForTheCharacters) {
  const std::string message = message_of(english_sentences(), of_size(10));
  const std::size_t at = message.find("ask for at least ");
  ASSERT_NE(at, std::string::npos) << message;
  const int fewest = std::atoi(message.c_str() + at + 17);
  EXPECT_EQ(message_of(english_sentences(), of_size(fewest)), "no error");
  EXPECT_NE(message_of(english_sentences(), of_size(fewest - 1)), "no error");
}

TEST(LearnSubwords, RefusesEmptyAndBlankText) {
  EXPECT_NE(message_of({}, of_size(80)).find("nothing to learn"), std::string::npos);
  EXPECT_NE(message_of({"", "  ", "\t", "\xE2\x96\x85"}, of_size(80)).find("nothing to learn"),
            std::string::npos);
}

TEST(LearnSubwords, LearnsFromNastyLines) {
  Notes notes;
  std::vector<std::string> lines = english_sentences();
  for (const std::string& line : nasty_lines()) lines.push_back(clean_text(line, Normalization::nfc).text);
  const Subwords subwords = learn(lines, of_size(250), notes);
  EXPECT_NE(notes.all.find("tabs, NUL and U+2585"), std::string::npos) << notes.all;
  EXPECT_NE(notes.all.find("overlong words"), std::string::npos) << notes.all;
  // Words of lines that SentencePiece alone would have skipped are known.
  for (const char* character : {"k", "中", "ไ"}) EXPECT_NE(subwords.encode(character).back(), 0) << character;
}

}  // namespace
}  // namespace gloss
