// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translator.h"
#include "base/index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "pipeline/reading/text_files.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/translation/repetition.h"
#include "pipeline/translation/translation_totals.h"
#include "tests/support/copying_decoder.h"
#include "tests/support/heard_listener.h"
#include "tests/support/table_decoder.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/untrained_model.h"

namespace gloss {
namespace {

const Subwords& tokenizer() { return spelling_vocabulary(); }

Translator copier(const Decoder& decoder, const TranslationSettings& settings = {}, int threads = 1) {
  return Translator(decoder, tokenizer(), tokenizer(), Normalization::nfc, settings, threads);
}

std::vector<std::string> texts(const std::vector<TranslatedLine>& lines) {
  std::vector<std::string> result;
  for (const TranslatedLine& line : lines) result.push_back(line.translations.at(0).text);
  return result;
}

TEST(Translator, TranslationsKeepTheOrderOfLines) {
  std::vector<std::string> lines;
  for (int i = 0; i < 150; ++i) {
    std::string line = std::to_string(i * 7919 % 1000);
    for (int word = 0; word < i * 31 % 17; ++word) line += " dog";
    lines.push_back(i % 10 == 3 ? "" : line);
  }
  const SourceCopier decoder;
  for (const int threads : {1, 3}) {
    for (const int size : {1, 7, 64}) {
      TranslationSettings settings;
      settings.batches.batch_size = size;
      int done = 0;
      const auto translated =
          copier(decoder, settings, threads).translate(lines, [&](int count) { done += count; });
      EXPECT_EQ(texts(translated), lines);
      EXPECT_EQ(done, 150);
    }
  }
}

/// Gives the highest score to a token that is not a piece.
class MaskingDecoder : public SourceCopier {
 public:
  MaskingDecoder() : SourceCopier(1) {}
  std::vector<float> scores(const Row& source, const Row& prefix) const override {
    std::vector<float> row = SourceCopier::scores(source, prefix);
    row.back() = 30;
    return row;
  }
};

TEST(Translator, TokensOutsideTheTokenizerNeverAppear) {
  const MaskingDecoder decoder;
  const std::vector<std::string> lines{"the small dog", "a big house"};
  TranslationSettings settings;
  for (const int beam : {1, 4}) {
    settings.search.beam_size = beam;
    EXPECT_EQ(texts(copier(decoder, settings).translate(lines)), lines);
  }
  settings.search.beam_size = 1;
  settings.search.sampling.sample = true;
  settings.search.sampling.temperature = 0.1;
  EXPECT_EQ(texts(copier(decoder, settings).translate(lines)), lines);
}

TEST(Translator, BlankLinesNeverReachTheNetwork) {
  const SourceCopier decoder;
  const std::vector<std::string> lines{"", " ", "\t  \r", "   "};
  for (const TranslatedLine& line : copier(decoder).translate(lines)) {
    ASSERT_EQ(line.translations.size(), 1u);
    EXPECT_EQ(line.translations[0].text, "");
    EXPECT_EQ(line.translations[0].score, 0);
  }
  EXPECT_EQ(decoder.starts, 0);
  EXPECT_TRUE(copier(decoder).translate({}).empty());
}

TEST(Translator, LinesWithUnusualCharactersStayOneLineEach) {
  const SourceCopier decoder;
  const std::vector<std::string> lines{"dog\xE2\x80\xA8house", std::string("dog\0house", 9), "dog\r",
                                       "dog\xff\xfe house", std::string(3000, 'x')};
  const auto translated = copier(decoder).translate(lines);
  EXPECT_EQ(translated[0].translations[0].text, lines[0]);
  EXPECT_EQ(translated[1].translations[0].text, lines[1]);
  EXPECT_EQ(translated[3].replaced, 2);
  EXPECT_EQ(translated[3].translations[0].text, "dog\xEF\xBF\xBD\xEF\xBF\xBD house");
  EXPECT_GT(translated[4].left_out, 0);
  EXPECT_EQ(translated[4].translations[0].tokens, 1024);
  for (const std::string& text : texts(translated)) EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(Translator, NewlinesFromTheNetworkBecomeSpaces) {
  class NewlineDecoder : public SourceCopier {
    std::vector<float> scores(const Row&, const Row& prefix) const override {
      std::vector<float> row(index(vocabulary_size()), 0.0f);
      int byte = 0;
      while (tokenizer().piece(byte) != "<0x0A>") ++byte;
      row[index(prefix.size() < 4 ? byte : end())] = 30;
      return row;
    }
  };
  const NewlineDecoder decoder;
  const auto translated = copier(decoder).translate(std::vector<std::string>{"dog"});
  EXPECT_EQ(translated[0].translations[0].tokens, 3);
  EXPECT_EQ(translated[0].translations[0].text.find('\n'), std::string::npos);
}

TEST(Translator, ReturnsNBestTranslations) {
  const TableDecoder decoder(tokenizer().size(), 4);
  TranslationSettings settings;
  settings.search.n_best = 4;
  const auto translated = copier(decoder, settings).translate(std::vector<std::string>{"dog", ""});
  ASSERT_EQ(translated[0].translations.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(translated[0].translations[i - 1].score, translated[0].translations[i].score);
  }
  EXPECT_EQ(translated[1].translations.size(), 1u);
}

TEST(Translator, RefusesABeamLargerThanTheVocabulary) {
  const TableDecoder decoder(4);
  EXPECT_THROW(copier(decoder), UsageError);
}

/// Translates the lines of a file as the command does.
TranslationTotals translate_file(const Translator& translator, const std::string& path, Listener& listener) {
  const TemporaryDirectory folder;
  TextFiles input({path});
  Output output(folder / "out");
  StreamReport report(input, listener);
  TranslationTotals totals;
  const AnswerSteps<std::string, TranslatedLine> steps{
      .answer = [&](const auto& lines, std::int64_t first,
                    const auto& finished) { return translator.translate(lines, finished, first); },
      .write = [&](std::int64_t,
                   const TranslatedLine& line) { totals.add(line, count_shortcomings(line, {}, report)); }};
  answer_stream(input, steps, output, report);
  return totals;
}

TEST(TranslationTotals, CountTokensAndReportLines) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("text", "dog\nbig big big big big big big big\n\xff\nhouse\n");
  const SourceCopier decoder;
  TranslationSettings settings;
  settings.max_source_tokens = 5;
  HeardListener heard;
  const TranslationTotals totals = translate_file(copier(decoder, settings), file, heard);
  EXPECT_GT(totals.source_tokens, 7);
  EXPECT_EQ(totals.target_tokens, totals.source_tokens);
  EXPECT_NE(heard.warnings.find(file + ":2: "), std::string::npos) << heard.warnings;
  EXPECT_NE(heard.warnings.find(file + ":3: "), std::string::npos) << heard.warnings;
}

/// Never predicts the end token.
class EndlessDecoder : public SourceCopier {
  std::vector<float> scores(const Row&, const Row&) const override {
    std::vector<float> row(index(vocabulary_size()), 0.0f);
    row[2] = -20;
    return row;
  }
};

/// The warnings about the second line, "dog".
std::string warnings_of(const Decoder& decoder, const TranslationSettings& settings) {
  const TemporaryDirectory folder;
  HeardListener heard;
  const std::string file = folder.write("text", "\ndog\n");
  translate_file(copier(decoder, settings), file, heard);
  EXPECT_NE(heard.warnings.find(file + ":2: "), std::string::npos) << heard.warnings;
  return heard.warnings;
}

TEST(TranslationTotals, TheReportNamesTheOptionsThatEndedTranslations) {
  TranslationSettings settings;
  const std::string limited = warnings_of(EndlessDecoder(), settings);
  EXPECT_NE(limited.find("--max-length-factor"), std::string::npos) << limited;
  settings.search.beam_size = 1;
  settings.search.no_repeat_ngram = 1;
  settings.search.min_length = 1000;  // more than the number of tokens
  const std::string ruled = warnings_of(EndlessDecoder(), settings);
  EXPECT_EQ(ruled.find("--max-length-factor"), std::string::npos) << ruled;
  EXPECT_NE(ruled.find("--ban"), std::string::npos) << ruled;
}

TEST(TranslationTotals, CountTranslationsThatRepeatAPhrase) {
  const TemporaryDirectory folder;
  const std::string file = folder.write("text", "dog\nbig big big big big\nhouse\n\n");
  TranslationSettings settings;
  HeardListener heard;
  const SourceCopier decoder;
  const TranslationTotals copied = translate_file(copier(decoder, settings), file, heard);
  EXPECT_EQ(copied.lines.at(static_cast<std::size_t>(Shortcoming::Kind::repeats)), 0)
      << "the source repeats the phrase too";
  EXPECT_EQ(heard.warnings.find("--no-repeat-ngram"), std::string::npos) << heard.warnings;
  const EndlessDecoder endless;
  settings.search.beam_size = 1;
  const TranslationTotals totals = translate_file(copier(endless, settings), file, heard);
  EXPECT_EQ(totals.lines.at(static_cast<std::size_t>(Shortcoming::Kind::repeats)), 2);
  EXPECT_EQ(totals.problems(), ", 2 that repeat a phrase");
  EXPECT_NE(heard.warnings.find("repeats a phrase"), std::string::npos) << heard.warnings;
  EXPECT_NE(heard.warnings.find("2 times"), std::string::npos) << heard.warnings;
}

TEST(TranslationTotals, TheSummaryNamesEmptyTexts) {
  EXPECT_EQ((TranslationTotals{}.summary().find('0')), std::string::npos);
  TranslationTotals empty;
  empty.source_tokens = 7;
  EXPECT_NE(empty.summary().find("empty"), std::string::npos) << empty.summary();
  EXPECT_EQ(empty.summary().find("into 0"), std::string::npos) << empty.summary();
  empty.target_tokens = 5;
  EXPECT_NE(empty.summary().find("into 5"), std::string::npos) << empty.summary();
}

TEST(Translator, RepetitionsArePhrasesInARow) {
  using Tokens = std::vector<TokenId>;
  EXPECT_EQ(phrase_repeats(Tokens{}), 0);
  EXPECT_EQ(phrase_repeats(Tokens{1, 1, 1}), 0);
  EXPECT_EQ(phrase_repeats(Tokens{2, 1, 1, 1, 1, 3}), 4);
  EXPECT_EQ(phrase_repeats(Tokens{1, 2, 1, 2, 1, 2, 1, 3}), 0);
  EXPECT_EQ(phrase_repeats(Tokens{7, 1, 2, 1, 2, 1, 2, 1, 2}), 4);
  EXPECT_EQ(phrase_repeats(Tokens{1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 3, 1, 1}), 0);
  EXPECT_EQ(phrase_repeats(Tokens{1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1, 2}), 4);
  EXPECT_EQ(phrase_repeats(Tokens{1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4}), 7);
}

TEST(Translator, AnImprobableTermTakesThePlaceOfItsSource) {
  const TemporaryDirectory folder;
  const SourceCopier decoder;
  TranslationSettings settings;
  settings.lexicon = folder.write("lexicon", "house\tdog\nbig\tsees\n");
  const std::vector<std::string> lines{"the small house sees a number and walks home", "a house.",
                                       "home house and big number"};
  EXPECT_EQ(texts(copier(decoder, settings).translate(lines)),
            (std::vector<std::string>{"the small dog sees a number and walks home", "a dog.",
                                      "home dog and sees number"}));
}

TEST(Translator, TermsOfALineCutInsideACharacterHaveTheTokensThatWereKept) {
  const TemporaryDirectory folder;
  const SourceCopier decoder;
  const std::string line = "sees a dog €";
  TranslationSettings settings;
  settings.lexicon = folder.write("lexicon", "dog\tbig\n\uFFFD\thouse\n");
  settings.max_source_tokens = static_cast<int>(tokenizer().encode(line).size()) - 2;
  const TranslatedLine translated = copier(decoder, settings).translate(std::vector{line}).at(0);
  EXPECT_EQ(translated.left_out, 2) << "the first of three bytes is kept";
  const std::string& text = translated.translations.at(0).text;
  EXPECT_NE(text.find("big"), std::string::npos) << text;
  EXPECT_NE(text.find("house"), std::string::npos) << text;
}

TEST(Translator, ALineWithAProblemHasAnEmptyTranslation) {
  const SourceCopier decoder;
  TranslationSettings settings;
  settings.prefix = true;
  const auto translated = copier(decoder, settings).translate(std::vector<std::string>{"a\tb\tc", "dog"});
  EXPECT_NE(translated[0].problem.find("3 columns"), std::string::npos) << translated[0].problem;
  EXPECT_EQ(texts(translated), (std::vector<std::string>{"", "dog"}));
}

}  // namespace
}  // namespace gloss
