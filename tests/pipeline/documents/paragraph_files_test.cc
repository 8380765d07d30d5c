// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/paragraph_files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"
#include "tests/support/temporary_directory.h"

namespace gloss {
namespace {

using Texts = std::vector<std::string>;

struct ParagraphsOfFiles : testing::Test {
  std::vector<DocumentPart> parts(const Texts& texts, std::int64_t longest = 1000) {
    Texts paths;
    for (const std::string& text : texts)
      paths.push_back(folder.write("text" + std::to_string(paths.size()), text));
    files = std::make_unique<ParagraphFiles>(paths, longest);
    std::vector<DocumentPart> all;
    for (DocumentPart part; files->next(part);) all.push_back(part);
    return all;
  }
  Texts texts(const Texts& input, std::int64_t longest = 1000) {
    Texts all;
    for (const DocumentPart& part : parts(input, longest)) {
      if (!part.source.empty()) all.push_back(part.text);
    }
    return all;
  }
  std::string joined(const Texts& input, std::int64_t longest = 1000) {
    std::string all;
    for (const DocumentPart& part : parts(input, longest)) all += part.before + part.source;
    return all;
  }

  TemporaryDirectory folder;
  std::unique_ptr<ParagraphFiles> files;
};

TEST_F(ParagraphsOfFiles, AreJoinedLinesBetweenBlankOnes) {
  const std::string text = "\n  One\n   two \t\nthree.\r\n\r\n \t\nFour.  Five.\n\n";
  const std::vector<DocumentPart> all = parts({text});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].before, "\n  ");
  EXPECT_EQ(all[0].source, "One\n   two \t\nthree.");
  EXPECT_EQ(all[0].text, "One two three.");
  EXPECT_EQ(all[1].before, "\r\n\r\n \t\n");
  EXPECT_EQ(all[1].text, "Four.  Five.");
  EXPECT_EQ(all[2].before, "\n\n");
  EXPECT_EQ(all[2].source + all[2].text, "");
  EXPECT_TRUE(files->place(1).ends_with("text0:2"));
  EXPECT_TRUE(files->place(2).ends_with("text0:7"));
}

TEST_F(ParagraphsOfFiles, OfScriptsWithoutSpacesAreJoinedWithoutThem) {
  EXPECT_EQ(texts({"犬が\nいる。\n猫\ncat\n\n개\n개"}), (Texts{"犬がいる。猫 cat", "개 개"}));
}

TEST_F(ParagraphsOfFiles, EndWithTheirFile) {
  EXPECT_EQ(texts({"One\ntwo", "three\n\nfour"}), (Texts{"One two", "three", "four"}));
  EXPECT_TRUE(files->place(2).ends_with("text1:1"));
  EXPECT_TRUE(files->place(3).ends_with("text1:3"));
  EXPECT_EQ(joined({"One\ntwo", "", "\n", "three\n\nfour"}), "One\ntwo\nthree\n\nfour");
  EXPECT_EQ(parts({""}).size(), 0u);
}

TEST_F(ParagraphsOfFiles, HaveNoByteOrderMark) {
  const std::vector<DocumentPart> all = parts({"\xEF\xBB\xBFOne."});
  EXPECT_EQ(all.at(0).before, "\xEF\xBB\xBF");
  EXPECT_EQ(all.at(0).text, "One.");
}

TEST_F(ParagraphsOfFiles, OfTooManyBytesEndAfterALine) {
  EXPECT_EQ(texts({"one two\nthree four\nfive\n"}, 12), (Texts{"one two three four", "five"}));
  EXPECT_THROW(parts({"one two three\n"}, 12), InputError);
}

TEST_F(ParagraphsOfFiles, JoinedAreTheFiles) {
  Random random(5);
  const Texts pieces{"\n",   "\n", "a word",      " ", "\t", "\r", ".", std::string(1, '\0'),
                     "\xFF", "ü",  "\xEF\xBB\xBF"};
  for (int round = 0; round < 200; ++round) {
    Texts input(1 + random.below(2));
    std::string all;
    for (std::string& text : input) {
      for (auto left = random.below(40); left > 0; --left) text += pieces[random.below(pieces.size())];
      all += text;
    }
    EXPECT_EQ(joined(input, 150), all);
  }
}

}  // namespace
}  // namespace gloss
