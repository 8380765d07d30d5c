// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/sentence_splitter.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

/// The sentences with '|' between them.
std::string marked(const SentenceSplitter& splitter, std::string_view line) {
  std::string text;
  for (const std::string_view sentence : splitter.split(line)) {
    if (!text.empty()) text += '|';
    text += sentence;
  }
  return text;
}

std::string marked(const std::string& language, std::string_view line) {
  return marked(SentenceSplitter(language), line);
}

TEST(SentenceSplitter, KeepsWhiteSpaceWithTheSentenceBeforeIt) {
  EXPECT_EQ(marked("en", "  He left.  She stayed.\t "), "  He left.  |She stayed.\t ");
  EXPECT_EQ(marked("en", ""), "");
  EXPECT_EQ(marked("en", "   "), "   ");
  EXPECT_EQ(marked("en", "One line\xE2\x80\xA8 and another"), "One line\xE2\x80\xA8 |and another");
}

TEST(SentenceSplitter, SplitsScriptsWithoutSpaces) {
  EXPECT_EQ(marked("ja", "今日は雨です。明日は？晴れ！"), "今日は雨です。|明日は？|晴れ！");
  EXPECT_EQ(marked("ja", "彼は「行く。」と言った。彼女は泣いた。"),
            "彼は「行く。」と言った。|彼女は泣いた。");
  EXPECT_EQ(marked("ja", "「はい。」「いいえ。」"), "「はい。」|「いいえ。」");
  EXPECT_EQ(marked("zh", "“好。”他说。我走了。"), "“好。”他说。|我走了。");
  EXPECT_EQ(marked("zh", "圆周率约为３．５。对。"), "圆周率约为３．５。|对。");
  EXPECT_EQ(marked("zh", "你好吗?我很好!再见。"), "你好吗?|我很好!|再见。");
  EXPECT_EQ(marked("zh", "《你好吗？》是一本书。"), "《你好吗？》是一本书。");
  EXPECT_EQ(marked("th", "ดร. สมชาย มาแล้ว"), "ดร. สมชาย มาแล้ว");
}

TEST(SentenceSplitter, KnowsTheMarksOfOtherScripts) {
  EXPECT_EQ(marked("hi", "वह गया। वह रुकी।"), "वह गया। |वह रुकी।");
  EXPECT_EQ(marked("ar", "من هذا؟ إنه هو."), "من هذا؟ |إنه هو.");
  EXPECT_EQ(marked("el", "Ποιος είναι; Δεν ξέρω."), "Ποιος είναι; |Δεν ξέρω.");
  EXPECT_EQ(marked("hy", "Նա գնաց։ Նա մնաց։"), "Նա գնաց։ |Նա մնաց։");
}

TEST(SentenceSplitter, KnowsOtherLanguages) {
  EXPECT_EQ(marked("fr", "« Tu viens ? » demanda M. Petit. Elle rit."),
            "« Tu viens ? » demanda M. Petit. |Elle rit.");
  EXPECT_EQ(marked("fr", "Vraiment ? Oui ! C'est p. ex. le cas."), "Vraiment ? |Oui ! |C'est p. ex. le cas.");
  EXPECT_EQ(marked("es", "El Sr. Gil vive en EE. UU. con su hija. ¿Qué? ¡No!"),
            "El Sr. Gil vive en EE. UU. con su hija. |¿Qué? |¡No!");
  EXPECT_EQ(marked("it", "Il dott. Neri arriva alle 9. Poi parte."),
            "Il dott. Neri arriva alle 9. |Poi parte.");
  EXPECT_EQ(marked("pt", "O Sr. Reis saiu. A Dra. Lima ficou."), "O Sr. Reis saiu. |A Dra. Lima ficou.");
  EXPECT_EQ(marked("nl", "Dat is bijv. een hond. Hij blaft."), "Dat is bijv. een hond. |Hij blaft.");
  EXPECT_EQ(marked("pl", "Spotkanie jest 3. maja, tj. w piątek. Prof. Nowak będzie."),
            "Spotkanie jest 3. maja, tj. w piątek. |Prof. Nowak będzie.");
  EXPECT_EQ(marked("cs", "Dne 3. května přišel Dr. Malý. Byl sám."),
            "Dne 3. května přišel Dr. Malý. |Byl sám.");
  EXPECT_EQ(marked("sv", "Han kom kl. 5 t.ex. i går. Hon log."), "Han kom kl. 5 t.ex. i går. |Hon log.");
  EXPECT_EQ(marked("ru", "Он живёт на ул. Мира. Г-н Белов уехал."),
            "Он живёт на ул. Мира. |Г-н Белов уехал.");
  EXPECT_EQ(marked("pt-BR", "O Sr. Reis saiu."), marked("pt_BR", "O Sr. Reis saiu."));
}

TEST(SentenceSplitter, KnowsThatWordsMayLookLikeAbbreviations) {
  EXPECT_EQ(marked("de", "Er lebt in der Schweiz. St. Gallen ist nah."),
            "Er lebt in der Schweiz. |St. Gallen ist nah.");
  EXPECT_EQ(marked("de", "Das war ein Test. Tom lachte."), "Das war ein Test. |Tom lachte.");
  EXPECT_EQ(marked("en", "That was Joe. Tom laughed. All is OK. Tom left."),
            "That was Joe. |Tom laughed. |All is OK. |Tom left.");
  EXPECT_EQ(marked("de", "Max. Tom darf mit, min. Anna. Mehr geht nicht."),
            "Max. Tom darf mit, min. Anna. |Mehr geht nicht.");
}

TEST(SentenceSplitter, TakesTheLongestAbbreviation) {
  EXPECT_EQ(marked("de", "Mehr s. u. Hier steht nichts."), "Mehr s. u. |Hier steht nichts.");
  EXPECT_EQ(marked("de", "Dipl.-Ing. Mehr baut."), "Dipl.-Ing. Mehr baut.");
}

TEST(SentenceSplitter, KnowsEnglishTitlesInAllLanguages) {
  for (const char* language : {"", "de", "fr", "fi"}) {
    EXPECT_EQ(marked(language, "Mr. Hill, Mrs. Berg, Ms. Roy. Tom."), "Mr. Hill, Mrs. Berg, Ms. Roy. |Tom.")
        << language;
  }
}

TEST(SentenceSplitter, KeepsSmileysWithTheSentenceBeforeThem) {
  EXPECT_EQ(marked("en", "We won! \U0001F389\U0001F389 Tom sang. :-) Ann left."),
            "We won! \U0001F389\U0001F389 |Tom sang. :-) |Ann left.");
  EXPECT_EQ(marked("en", "We are late \U0001F62D Sorry about that"),
            "We are late \U0001F62D |Sorry about that");
  EXPECT_EQ(marked("en", "We are late :( Sorry about that"), "We are late :( |Sorry about that");
  EXPECT_EQ(marked("en", "We \u2764\uFE0F Rome and \U0001F62D"), "We \u2764\uFE0F Rome and \U0001F62D");
  EXPECT_EQ(marked("en", "\U0001F34E Apples are red. \U0001F350 Pears are green."),
            "\U0001F34E Apples are red. |\U0001F350 Pears are green.");
  EXPECT_EQ(marked("ja", "すごい！\U0001F600明日です。"), "すごい！\U0001F600|明日です。");
}

TEST(SentenceSplitter, SplitsDialogues) {
  EXPECT_EQ(marked("en", "- Where is he? - In the garden."), "- Where is he? |- In the garden.");
  EXPECT_EQ(marked("es", "—¿Quién es? —Soy yo."), "—¿Quién es? |—Soy yo.");
  EXPECT_EQ(marked("ru", "— Стой! — крикнул он. — Это я."), "— Стой! — крикнул он. |— Это я.");
  EXPECT_EQ(marked("en", "- buy milk. - buy tea."), "- buy milk. |- buy tea.");
  EXPECT_EQ(marked("en", "She turned - really? - to him."), "She turned - really? - to him.");
  EXPECT_EQ(marked("fr", "« Qui ? » « Moi. »"), "« Qui ? » |« Moi. »");
}

TEST(SentenceSplitter, SplitsTextInSmallLetters) {
  EXPECT_EQ(marked("en", "we met dr. hill. he was late. why? no idea"),
            "we met dr. hill. |he was late. |why? |no idea");
  EXPECT_EQ(marked("en", "We met at approx. half past. He came unannd. and left."),
            "We met at approx. half past. |He came unannd. and left.");
  EXPECT_EQ(marked("en", "\"stop!\" he said"), "\"stop!\" he said");
}

TEST(SentenceSplitter, KnowsLabelsLettersAndTags) {
  EXPECT_EQ(marked("en", "Step 1. Open it. Step 2. Close it."), "Step 1. Open it. |Step 2. Close it.");
  EXPECT_EQ(marked("en", "He took step 1. Tom took step 2."), "He took step 1. |Tom took step 2.");
  EXPECT_EQ(marked("de", "Artikel 5. Jeder hat Rechte."), "Artikel 5. Jeder hat Rechte.");
  EXPECT_EQ(marked("en", "i. Open it. ii. Close it."), "i. Open it. |ii. Close it.");
  EXPECT_EQ(marked("en", "Q. Who pays? A. The buyer."), "Q. Who pays? |A. The buyer.");
  EXPECT_EQ(marked("en", "He needs vitamin C. Oranges help. So does C. Berg."),
            "He needs vitamin C. |Oranges help. |So does C. Berg.");
  EXPECT_EQ(marked("en", "It is done. #winning Ask Ann. @bob knows. See no. #5."),
            "It is done. |#winning Ask Ann. |@bob knows. |See no. #5.");
  EXPECT_EQ(marked("fr", "Voir l'art. 5 du code. Fin."), "Voir l'art. 5 du code. |Fin.");
  EXPECT_EQ(marked("en", "We saw Mamma Mia! and left."), "We saw Mamma Mia! and left.");
}

TEST(SentenceSplitter, WithoutLanguageFollowsTheRulesOfAll) {
  EXPECT_EQ(marked("", "He works at Hall Inc. in Rome. Yahoo! is old."),
            "He works at Hall Inc. in Rome. |Yahoo! is old.");
  EXPECT_EQ(marked("fi", "Hän tuli. Me lähdimme."), "Hän tuli. |Me lähdimme.");
}

TEST(SentenceSplitter, RefusesCodesThatAreNoLanguages) {
  for (const char* code : {"xx", "english!", "d", "de de"}) {
    EXPECT_THROW(SentenceSplitter{code}, UsageError) << code;
  }
}

TEST(SentenceSplitter, ReadsMoreRulesFromFiles) {
  const TemporaryDirectory folder;
  SentenceSplitter splitter("en");
  EXPECT_EQ(marked(splitter, "See Spl. Nine. Go."), "See Spl. |Nine. |Go.");
  splitter.add_rules(folder.write("rules.txt", "# ours\n\ntitle\tSpl. x.y.\nname Hop!\n"));
  EXPECT_EQ(marked(splitter, "See Spl. Nine. Hop! Hop! is x. y. Good."),
            "See Spl. Nine. |Hop! Hop! is x. y. Good.");
}

TEST(SentenceSplitter, NamesTheLineOfAWrongRule) {
  const TemporaryDirectory folder;
  SentenceSplitter splitter("en");
  const auto message = [&](const std::string& text) -> std::string {
    try {
      splitter.add_rules(folder.write("rules.txt", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("title Dr.\nabbrev etc.\n").find("rules.txt:2: found 'abbrev'"), std::string::npos);
  EXPECT_NE(message("title\n").find("rules.txt:1: found 'title' without"), std::string::npos);
  EXPECT_NE(message("title Dr.\ntitle \xFF\n").find("rules.txt:2: "), std::string::npos);
  EXPECT_NE(message("title \xFF\n").find("UTF-8"), std::string::npos);
  for (const std::string line :
       {"title Spl", "abbreviation x.y. Spl", "before-number Ziff. Spl", "ordinary Spl"}) {
    const std::string text = message("# ours\n" + line + "\n");
    EXPECT_NE(text.find("rules.txt:2: "), std::string::npos) << line << ": " << text;
    EXPECT_NE(text.find("'Spl.'"), std::string::npos) << line << ": " << text;
  }
  EXPECT_NE(message("name Hop").find("'Hop'"), std::string::npos);
  EXPECT_EQ(message("name Hop! St.Ives\nlabel Step\ntitle Sig.ra -str.\n"), "");
  EXPECT_THROW(splitter.add_rules(folder / "missing.txt"), InputError);
}

// Whatever the bytes: the sentences, joined, are the line.
TEST(SentenceSplitter, LosesNothing) {
  const std::vector<std::string> parts{"A",
                                       "b",
                                       "Dr.",
                                       "z.",
                                       " ",
                                       "  ",
                                       ".",
                                       "...",
                                       "…",
                                       "?",
                                       "!",
                                       "\"",
                                       "“",
                                       "”",
                                       "(",
                                       ")",
                                       "[1]",
                                       "3.",
                                       "1990",
                                       "•",
                                       "。",
                                       "「",
                                       "」",
                                       "\xFF",
                                       "\xC3",
                                       "\t",
                                       "\r",
                                       std::string(1, '\0'),
                                       "»",
                                       "«",
                                       "\f",
                                       "e.g",
                                       ",",
                                       ";",
                                       "ß",
                                       "Ü",
                                       "I",
                                       "\u2028",
                                       "\u00A0",
                                       "-",
                                       "\xF0\x9F\x98\x80",
                                       ":-)",
                                       "#",
                                       "@",
                                       "—"};
  Random random(1);
  for (const char* language : {"", "en", "de", "fr", "ja", "el"}) {
    const SentenceSplitter splitter(language);
    for (int round = 0; round < 2000; ++round) {
      std::string line;
      for (std::uint64_t i = random.below(30); i > 0; --i) line += parts[random.below(parts.size())];
      std::string joined;
      for (const std::string_view sentence : splitter.split(line)) {
        EXPECT_FALSE(sentence.empty()) << line;
        joined += sentence;
      }
      ASSERT_EQ(joined, line) << language;
    }
  }
}

// Long lines of what rules look at must not take quadratic time: this would last for minutes.
TEST(SentenceSplitter, TakesLinearTime) {
  const SentenceSplitter splitter("de");
  for (const char* part :
       {".",     ". ",    "(",   "( a. ", ")",          "\"",          "z. ",          "1. ",
        "a",     " ",     "A.",  "...",   "„A. ",       "• ",          "[1]",          "- ",
        "- a. ", "— A! ", ":) ", "#a. ",  "\U0001F600", "\U0001F600 ", ". \U0001F600", "Step 1. ",
        "« ",    "a\"."}) {
    std::string line;
    while (line.size() < 300'000) line += part;
    std::size_t bytes = 0;
    for (const std::string_view sentence : splitter.split(line)) bytes += sentence.size();
    EXPECT_EQ(bytes, line.size());
  }
}

}  // namespace
}  // namespace gloss
