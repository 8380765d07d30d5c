// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/lexicon.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/examples/piece_words.h"
#include "pipeline/examples/word_alignment.h"
#include "tests/support/subword_model.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

Subwords cat_subwords() { return Subwords::from_bytes(cat_model(), "cat"); }

/// Number of phrases that a line requires.
int required_phrases(const Lexicon& lexicon, const std::string& source) {
  const auto required = lexicon.required_for(source);
  return required == nullptr ? 0 : required->start().missing;
}

TEST(Lexicon, FindsTermsAsWordsTheLongestFirst) {
  const TemporaryDirectory folder;
  const Subwords target = cat_subwords();
  const Lexicon lexicon(
      folder.write("terms", "Katze\tcat\n\nKatze\tthe cat\nNew York\tmat\nYork\tsat\nÜ\tthe\n"), target,
      Normalization::none, nullptr);
  EXPECT_EQ(required_phrases(lexicon, "eine Katze."), 1);
  EXPECT_EQ(required_phrases(lexicon, "Katze"), 1);
  EXPECT_EQ(required_phrases(lexicon, "(Katze)"), 1);
  EXPECT_EQ(required_phrases(lexicon, "Katze und Katze"), 1) << "a repeated term is required once";
  EXPECT_EQ(required_phrases(lexicon, "Katzen Hauskatze katze"), 0);
  EXPECT_EQ(required_phrases(lexicon, "in New York"), 1);
  EXPECT_EQ(required_phrases(lexicon, "in New York und York"), 2);
  EXPECT_EQ(required_phrases(lexicon, "New"), 0);
  EXPECT_EQ(required_phrases(lexicon, "\xC3\x9C \xC3"), 1);
  EXPECT_EQ(required_phrases(lexicon, ""), 0);
  EXPECT_EQ(lexicon.required_for("Katze")->total(), 1) << "the shorter of two forms";
}

TEST(Lexicon, ErrorsNameTheLine) {
  const TemporaryDirectory folder;
  const Subwords target = cat_subwords();
  const auto banned = read_banned_phrases(folder.write("ban", "on the mat\n"), target, Normalization::none);
  const auto refused = [&](const std::string& lines, const std::string& expected) {
    const std::string file = folder.write("terms", lines);
    try {
      const Lexicon lexicon(file, target, Normalization::none, banned.get());
      ADD_FAILURE() << lines;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(file + expected), std::string::npos) << error.what();
    }
  };
  refused("a\tcat\nKatze cat\n", ":2: found 1 column");
  refused("a\tb\tc\n", ":1: found 3 columns");
  refused("\n\t cat\n", ":2: the source term is empty");
  refused("Katze\t \n", ":1: the target term is empty");
  refused("Katze\tcat\nHund\tdog\n", ":2: the model has no pieces to spell 'dog'");
  refused("Matte\tsat on the mat\n", ":1: 'sat on the mat' is required, but 'on the mat' is banned");
  refused("\n", " has no lines; expected lines 'source term TAB target term'");
  EXPECT_THROW(read_banned_phrases(folder.write("none", "\n \n"), target, Normalization::none), InputError);
}

TEST(BannedPhrases, AreFoundByWords) {
  const TemporaryDirectory folder;
  const Subwords target = cat_subwords();
  const auto banned =
      read_banned_phrases(folder.write("ban", "cat\nthe  mat\ndog\n"), target, Normalization::none);
  const auto found = [&](const std::string& text) {
    return banned->found_in(target.encode(text)) != nullptr;
  };
  EXPECT_TRUE(found("the cat sat"));
  EXPECT_TRUE(found("sat on the mat."));
  EXPECT_FALSE(found("the cats sat on a mat"));
  EXPECT_FALSE(found(""));
}

TEST(Lexicon, CarriageReturnsAndStraySpacesAreIgnored) {
  const TemporaryDirectory folder;
  const Subwords target = cat_subwords();
  const Lexicon lexicon(folder.write("terms", "Katze \tcat\r\n  Matte\t the mat \r\n"), target,
                        Normalization::none, nullptr);
  EXPECT_EQ(required_phrases(lexicon, "eine Katze auf der Matte"), 2);
  EXPECT_EQ(lexicon.required_for("Katze")->total(), 1) << "no carriage return is required";
  const auto banned =
      read_banned_phrases(folder.write("ban", "cat\r\n  the mat \t\r\n\r\n"), target, Normalization::none);
  EXPECT_NE(banned->found_in(target.encode("the cat sat")), nullptr);
  EXPECT_NE(banned->found_in(target.encode("on the mat")), nullptr);
}

TEST(BannedPhrases, PhrasesWithUnknownPiecesAreBannedToo) {
  const TemporaryDirectory folder;
  const auto banned =
      read_banned_phrases(folder.write("ban", "the  wug\n"), cat_subwords(), Normalization::none);
  EXPECT_NE(banned->found_in_text("on the wug."), nullptr);
  EXPECT_EQ(banned->found_in_text("on the wugs"), nullptr);
}

TEST(BannedPhrases, APhraseWithoutTextIsNamed) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("ban", "cat\n\xE2\x96\x81\n");
  try {
    read_banned_phrases(file, cat_subwords(), Normalization::none);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(file + ":2: "), std::string::npos) << error.what();
  }
}

TEST(Words, BeginWithASpace) {
  const PieceWords words =
      words_of({"\xE2\x96\x81the", "\xE2\x96\x81", "\xE2\x96\x81", "c", "at", ".", "\xE2\x96\x81on"});
  EXPECT_EQ(words.word_of_piece, (std::vector<int>{0, 1, 1, 1, 1, 1, 2}));
  EXPECT_TRUE(words_of({}).words.empty());
  EXPECT_EQ(
      words_of({"\xE2\x96\x81the", "<unk>", "on", "\xE2\x96\x81", "<unk>", "<unk>"}, "<unk>").word_of_piece,
      (std::vector<int>{0, 1, 2, 3, 3, 4}));
}

TEST(Alignment, AddsUpPiecesOfWords) {
  // Source pieces: word 0, word 0, word 1, end; target pieces: word 0, word 1, word 1, end.
  const std::vector<float> attention{0.1f, 0.3f, 0.5f, 0.1f,  //
                                     0.5f, 0.3f, 0.1f, 0.1f,  //
                                     0.1f, 0.1f, 0.2f, 0.6f,  //
                                     0.0f, 0.0f, 0.0f, 1.0f};
  const WordAlignment words = align_words(attention, {0, 0, 1}, {0, 1, 1});
  ASSERT_EQ(words.targets(), 2);
  const std::vector<float> expected{0.4f, 0.5f, 0.5f, 0.15f};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(words.weights[i], expected[i], 1e-6);
  EXPECT_EQ(hard_alignment_text(words), "1-0 0-1");
  EXPECT_EQ(soft_alignment_text(words), "0.4000,0.5000 0.5000,0.1500");
  EXPECT_EQ(hard_alignment_text({}), "");
  EXPECT_EQ(align_words(std::vector<float>{0.5f, 0.5f}, {0}, {}).targets(), 0);
}

}  // namespace
}  // namespace gloss
