// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/paragraph_translator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/support/copying_decoder.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

constexpr int kLongest = 100;

ParagraphTranslator paragraphs(const Translator& translator, const std::string& language, bool split = true,
                               int longest = kLongest) {
  return {translator, LineSplitter(SentenceSplitter(language), spelling_vocabulary(), longest), split};
}

/// Translates with copies of the source.
struct Copies : testing::Test {
  std::vector<TranslatedLine> translate(const std::vector<std::string>& lines, const std::string& language,
                                        bool split = true, int longest = kLongest) const {
    int done = 0;
    const auto translated = paragraphs(translator(), language, split, longest)
                                .translate(
                                    lines, [&](int count) { done += count; }, 0);
    EXPECT_EQ(done, std::ssize(lines));
    return translated;
  }
  std::vector<std::string> texts(const std::vector<std::string>& lines, const std::string& language,
                                 int longest = kLongest) const {
    std::vector<std::string> result;
    for (const TranslatedLine& line : translate(lines, language, true, longest)) {
      EXPECT_EQ(line.translations.size(), 1u);
      result.push_back(line.translations.front().text);
    }
    return result;
  }
  const Translator& translator() const {
    if (made == nullptr) {
      made = std::make_unique<Translator>(decoder, spelling_vocabulary(), spelling_vocabulary(),
                                          Normalization::none, settings, 1);
    }
    return *made;
  }

  SourceCopier decoder;
  TranslationSettings settings;
  mutable std::unique_ptr<const Translator> made;
};

TEST_F(Copies, KeepTheSpaceBetweenSentences) {
  const std::vector<std::string> lines{"One dog. Two dogs.  Three dogs.\tFour.", "", "A dog", "  \t",
                                       "Is it? It is! No."};
  const std::vector<std::string> expected{lines[0], "", lines[2], "", lines[4]};
  EXPECT_EQ(texts(lines, "en"), expected);
}

TEST_F(Copies, KeepNoSpaceWhereTheScriptHasNone) {
  const std::vector<std::string> lines{"犬。猫。", "犬。 猫。"};
  EXPECT_EQ(texts(lines, "ja"), lines);
}

TEST_F(Copies, AreAddedUp) {
  const TranslatedLine line = translate({"One dog. Two \xFF dogs. Three."}, "en").front();
  const std::vector<TranslatedLine> apart = translate({"One dog. ", "Two \xFF dogs. ", "Three."}, "en");
  int read = 0, tokens = 0;
  double score = 0;
  for (const TranslatedLine& sentence : apart) {
    read += sentence.read_tokens;
    tokens += sentence.translations.front().tokens;
    score += sentence.translations.front().score;
  }
  EXPECT_EQ(line.read_tokens, read);
  EXPECT_EQ(line.replaced, 1);
  EXPECT_EQ(line.translations.front().tokens, tokens);
  EXPECT_DOUBLE_EQ(line.translations.front().score, score);
  EXPECT_FALSE(line.empty);
}

TEST_F(Copies, OfLongSentencesAreDividedAndLoseNothing) {
  std::string line = "Dogs";
  for (int i = 0; i < 60; ++i) line += i % 9 == 4 ? ", dogs" : " dogs";
  const TranslatedLine cut = translate({line}, "en", false, 1000).front();
  settings.max_source_tokens = 20;
  made = nullptr;
  EXPECT_EQ(texts({line}, "en", 20), std::vector<std::string>{line});
  EXPECT_EQ(translate({line}, "en", true, 20).front().left_out, 0);
  EXPECT_GT(translate({line}, "en", false, 20).front().left_out, 0);
  EXPECT_EQ(cut.left_out, 0);
}

TEST_F(Copies, OfWholeLinesCountTheirSentences) {
  const std::vector<TranslatedLine> whole = translate({"One. Two. Three.", "One", ""}, "en", false);
  EXPECT_EQ(whole[0].sentences, 3);
  EXPECT_EQ(whole[1].sentences, 1);
  EXPECT_EQ(whole[2].sentences, 0);
  EXPECT_EQ(translate({"One. Two. Three."}, "en").front().sentences, 1);
}

TEST_F(Copies, CountTheirWordsAndTheTokensOfTheLongestSentence) {
  const std::string line = "The small dog sees a house. Home? The dog walks home 7.";
  const std::vector<TranslatedLine> apart =
      translate({"The small dog sees a house. ", "Home? ", "The dog walks home 7."}, "en");
  const TranslatedLine split = translate({line}, "en").front(),
                       whole = translate({line}, "en", false).front();
  EXPECT_EQ(split.copied, 10) << "one word is not unusual";
  EXPECT_EQ(whole.copied, 11);
  EXPECT_EQ(whole.longest, whole.read_tokens);
  EXPECT_EQ(split.longest, std::max(apart[0].read_tokens, apart[2].read_tokens));
  EXPECT_LT(split.longest, split.read_tokens);
}

// With sampling, a line's translation depends on its number alone, not on the window it is read in.
TEST_F(Copies, AreDrawnByTheNumbersOfLines) {
  const TableDecoder random(spelling_vocabulary().size(), 4);
  settings.search.beam_size = 1;
  settings.search.sampling.sample = true;
  const Translator sampler(random, spelling_vocabulary(), spelling_vocabulary(), Normalization::none,
                           settings, 1);
  ParagraphTranslator translator = paragraphs(sampler, "en");
  const std::vector<std::string> lines{"One dog. Two dogs.", "One dog. Two dogs.", "A dog. A house."};
  const auto text = [](const TranslatedLine& line) { return line.translations.front().text; };
  const auto all = translator.translate(
      lines, [](int) {}, 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto alone = translator.translate(
        std::span(lines).subspan(i, 1), [](int) {}, static_cast<std::int64_t>(i));
    EXPECT_EQ(text(alone.front()), text(all[i]));
  }
  EXPECT_NE(text(all[0]), text(all[1]));
}

TEST_F(Copies, OfRepeatedSentencesAreMadeOnce) {
  const std::vector<std::string> lines{"One dog. Two dogs.", "Two dogs.", "Two dogs. One dog. Three dogs."};
  const auto repeats = [&](bool split) {
    ParagraphTranslator copier = paragraphs(translator(), "en", split);
    for (int window = 0; window < 2; ++window) {
      const auto copies = copier.translate(
          lines, [](int) {}, std::ssize(lines) * window);
      for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(copies[i].translations.front().text, lines[i]);
    }
    return copier.repeats();
  };
  EXPECT_EQ(repeats(true), 9);
  EXPECT_EQ(repeats(false), 3);
}

TEST(SentenceSplitterOfATranslation, TakesTheLanguageOfTheModel) {
  const auto sentences = [](const ParagraphSettings& settings, const std::string& model) {
    return sentence_splitter(settings, model).split("Am 3. Mai kam er.").size();
  };
  EXPECT_EQ(sentences({}, "de"), 1u);
  EXPECT_EQ(sentences({}, "deu_Latn"), 1u);
  EXPECT_EQ(sentences({}, "__de__"), 1u);
  EXPECT_EQ(sentences({}, "de_DE"), 1u);
  EXPECT_EQ(sentences({}, ""), 2u);
  EXPECT_EQ(sentences({}, "no language"), 2u);
  EXPECT_EQ(sentences({.language = "en"}, "de"), 2u);
  EXPECT_THROW(sentences({.language = "no language"}, "de"), UsageError);
}

}  // namespace
}  // namespace gloss
